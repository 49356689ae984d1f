"$GPUPLAN" help units
