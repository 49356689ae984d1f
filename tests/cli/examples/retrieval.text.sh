cd "$ROOT"
"$GPUPLAN" size examples/retrieval.yaml --detail
