"$GPUPLAN" price skypilot "$ROOT"/tests/samples/prices/vms.csv --provider aws --region mars-1 || code=$?
ls
exit $code
