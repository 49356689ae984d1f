"$GPUPLAN" help exit-codes
