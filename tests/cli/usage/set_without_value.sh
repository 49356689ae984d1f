"$GPUPLAN" size --set chat plan.yaml
