"$GPUPLAN" price skypilot "$ROOT"/tests/samples/prices/vms.csv --provider aws --region us-east-1 --now 2027-01-15 --lock my.lock
sed 's|url: file:.*/|url: file:|' my.lock
