"$GPUPLAN" catalog list
