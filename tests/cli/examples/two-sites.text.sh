cd "$ROOT"
"$GPUPLAN" size examples/two-sites.yaml --detail
