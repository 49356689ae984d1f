cd "$ROOT"
"$GPUPLAN" size examples/media.yaml -f markdown
