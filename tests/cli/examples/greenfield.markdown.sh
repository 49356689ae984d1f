cd "$ROOT"
"$GPUPLAN" size examples/greenfield.yaml -f markdown
