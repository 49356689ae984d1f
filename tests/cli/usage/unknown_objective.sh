"$GPUPLAN" size --objective cheapest plan.yaml
