"$GPUPLAN" size -Z plan.yaml
