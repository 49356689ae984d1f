: >plan.yaml
"$GPUPLAN" size plan.yaml
