"$GPUPLAN" help help
