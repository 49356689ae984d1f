"$GPUPLAN" help environment
