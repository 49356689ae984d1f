"$GPUPLAN" catalog show system dgx-h200
