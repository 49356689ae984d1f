"$GPUPLAN" schema polcy
