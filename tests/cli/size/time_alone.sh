# Time alone takes all machines that it may: said, also where a budget lacks the prices to be judged.
cp "$ROOT/examples/quickstart.yaml" .
for set in candidates.limits.step=1 'costs.budget.capital=20M USD' 'site.power.itCapacity=400 kW'; do
    echo "$set"
    "$GPUPLAN" size quickstart.yaml --objective minTime --set "$set" --detail 2>/dev/null |
        grep -A4 GP3024 || echo 'not said'
done
