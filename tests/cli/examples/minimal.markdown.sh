cd "$ROOT"
"$GPUPLAN" size examples/minimal.yaml -f markdown
