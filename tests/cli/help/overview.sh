"$GPUPLAN" help
