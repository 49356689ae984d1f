"$GPUPLAN" size -f jsn plan.yaml
