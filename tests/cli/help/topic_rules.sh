"$GPUPLAN" help rules
