"$GPUPLAN" completion tcsh
