"$GPUPLAN" size --width wide plan.yaml
