"$GPUPLAN" size -o report plan.yaml
