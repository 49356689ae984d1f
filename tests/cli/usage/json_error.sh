"$GPUPLAN" size -f json --objectiv minCost plan.yaml
