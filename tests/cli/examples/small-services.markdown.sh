cd "$ROOT"
"$GPUPLAN" size examples/small-services.yaml -f markdown
