cd "$ROOT"
"$GPUPLAN" size examples/inference-site.yaml --detail
