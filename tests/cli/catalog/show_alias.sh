"$GPUPLAN" catalog show gpu H200
