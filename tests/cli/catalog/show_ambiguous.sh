"$GPUPLAN" catalog show gpu A100
