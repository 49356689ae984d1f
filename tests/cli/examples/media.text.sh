cd "$ROOT"
"$GPUPLAN" size examples/media.yaml --detail
