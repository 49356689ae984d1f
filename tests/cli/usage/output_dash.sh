"$GPUPLAN" size -o - plan.yaml
