"$GPUPLAN" help catalog
