"$GPUPLAN" help explain
