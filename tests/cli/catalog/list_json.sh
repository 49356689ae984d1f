"$GPUPLAN" catalog list gpu --grep h200 -f json
