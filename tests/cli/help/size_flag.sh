"$GPUPLAN" size -h
