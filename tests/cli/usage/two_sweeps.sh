"$GPUPLAN" size --set a=1,2 --set b=3,4 plan.yaml
