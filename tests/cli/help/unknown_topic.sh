"$GPUPLAN" help exitcodes
