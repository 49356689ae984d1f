cd "$ROOT"
"$GPUPLAN" size examples/retrieval.yaml -f json
