"$GPUPLAN" size nowhere.yaml
