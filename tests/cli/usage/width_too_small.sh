"$GPUPLAN" size --width 12 plan.yaml
