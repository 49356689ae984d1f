cd "$ROOT"
"$GPUPLAN" size examples/lora-fleet.yaml --detail
