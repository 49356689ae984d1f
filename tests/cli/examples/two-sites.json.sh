cd "$ROOT"
"$GPUPLAN" size examples/two-sites.yaml -f json
