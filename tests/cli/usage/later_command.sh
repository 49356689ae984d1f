"$GPUPLAN" check plan.yaml
