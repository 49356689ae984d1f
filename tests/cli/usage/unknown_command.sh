"$GPUPLAN" sise plan.yaml
