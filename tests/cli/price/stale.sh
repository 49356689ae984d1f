cp "$ROOT"/tests/samples/prices/vms.csv .
"$GPUPLAN" price skypilot vms.csv --provider aws --region us-east-1 --now 2027-01-15 -q
"$GPUPLAN" price skypilot vms.csv --provider aws --region us-east-1 --now 2027-02-15 --locked -q
sed -i 's/55.04/60/' vms.csv
"$GPUPLAN" price skypilot vms.csv --provider aws --region us-east-1 --locked -q
