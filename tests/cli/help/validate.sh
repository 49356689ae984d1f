"$GPUPLAN" help validate
