"$GPUPLAN" catalog show gpu h20o-sxm
