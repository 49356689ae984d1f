"$GPUPLAN" size - - </dev/null
