"$GPUPLAN" size -f html plan.yaml
