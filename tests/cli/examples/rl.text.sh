cd "$ROOT"
"$GPUPLAN" size examples/rl.yaml --detail
