"$GPUPLAN" catalog lst
