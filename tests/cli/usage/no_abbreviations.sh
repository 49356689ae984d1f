"$GPUPLAN" size --work chat plan.yaml
