"$GPUPLAN" help settings
