"$GPUPLAN" catalog list gpus
