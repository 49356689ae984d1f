cd "$ROOT"
"$GPUPLAN" size examples/rl.yaml -f json
