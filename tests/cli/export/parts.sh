"$GPUPLAN" export k8s "$ROOT/examples/small-services.yaml" | grep -A1 'limits:' | sort | uniq -c
"$GPUPLAN" export slurm "$ROOT/examples/small-services.yaml" | grep 'gpus-per-node' | sort | uniq -c
