"$GPUPLAN" size --quiet=yes plan.yaml
