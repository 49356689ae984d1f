"$GPUPLAN" frobnicate
