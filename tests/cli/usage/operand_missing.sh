"$GPUPLAN" size
