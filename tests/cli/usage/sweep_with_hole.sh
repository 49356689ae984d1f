"$GPUPLAN" size --set a=1,,2 plan.yaml
