"$GPUPLAN" size --formt json plan.yaml
