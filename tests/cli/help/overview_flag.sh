"$GPUPLAN" --help
