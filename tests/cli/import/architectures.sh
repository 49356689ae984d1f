"$GPUPLAN" import --architectures
