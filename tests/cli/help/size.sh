"$GPUPLAN" help size
