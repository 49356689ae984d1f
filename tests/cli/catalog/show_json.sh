"$GPUPLAN" catalog show gpu l4 -f json
