"$GPUPLAN" catalog list systems --grep H200
