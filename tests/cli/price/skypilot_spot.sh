"$GPUPLAN" price skypilot "$ROOT"/tests/samples/prices/vms.csv --provider aws --region us-east-1 --tier spot --now 2027-01-15 --no-lock -o spot.yaml
ls
"$GPUPLAN" validate spot.yaml "$ROOT"/examples/minimal.yaml >/dev/null
cat spot.yaml
