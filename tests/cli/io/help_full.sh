"$GPUPLAN" help >/dev/full
