"$GPUPLAN" help schema
