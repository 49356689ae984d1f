"$GPUPLAN" validate nowhere.yaml -f json
