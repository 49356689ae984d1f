cd "$ROOT"
"$GPUPLAN" size examples/lora-fleet.yaml -f json
