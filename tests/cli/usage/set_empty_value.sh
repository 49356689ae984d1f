"$GPUPLAN" size --set a= plan.yaml
