cd "$ROOT"
"$GPUPLAN" size examples/quickstart.yaml -f text
