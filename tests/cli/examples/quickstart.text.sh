cd "$ROOT"
"$GPUPLAN" size examples/quickstart.yaml --detail
