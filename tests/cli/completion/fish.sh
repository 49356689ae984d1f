"$GPUPLAN" completion fish
