"$GPUPLAN" size - </dev/zero
