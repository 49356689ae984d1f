cd "$ROOT"
"$GPUPLAN" size examples/greenfield.yaml --detail
