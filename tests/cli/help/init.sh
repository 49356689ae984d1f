"$GPUPLAN" help init
