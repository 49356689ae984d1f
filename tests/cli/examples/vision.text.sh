cd "$ROOT"
"$GPUPLAN" size examples/vision.yaml --detail
