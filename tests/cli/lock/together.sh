# Twelve that fetch at a time: none undoes another's entry.
for region in a b c d e f g h i j k l; do
    sed "s/us-east-1/$region/g" "$ROOT/tests/samples/prices/vms.csv" >$region.csv
    "$GPUPLAN" price skypilot $region.csv --provider aws --region $region --now 2027-01-15 -q &
done
wait
grep 'name: skypilot' gpuplan.lock
find . -name '.gpuplan*'
