"$GPUPLAN" help formats
