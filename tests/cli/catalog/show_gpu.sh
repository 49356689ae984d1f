"$GPUPLAN" catalog show gpu h200-sxm
