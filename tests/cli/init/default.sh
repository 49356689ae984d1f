"$GPUPLAN" init
