"$GPUPLAN" catalog show gpu
