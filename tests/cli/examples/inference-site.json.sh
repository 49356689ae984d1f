cd "$ROOT"
"$GPUPLAN" size examples/inference-site.yaml -f json
