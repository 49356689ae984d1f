"$GPUPLAN" size -o a.json -o a.json plan.yaml
