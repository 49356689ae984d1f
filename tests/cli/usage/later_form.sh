"$GPUPLAN" size -f xlsx plan.yaml
