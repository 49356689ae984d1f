cd "$ROOT"
"$GPUPLAN" size examples/minimal.yaml --detail
