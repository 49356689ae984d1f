cd "$ROOT"
"$GPUPLAN" size examples/vision.yaml -f markdown
