"$GPUPLAN" size plan.yaml --format
