"$GPUPLAN" size plan.yaml -o -q
