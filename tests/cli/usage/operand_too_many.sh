"$GPUPLAN" explain plan.yaml chat ttft more
