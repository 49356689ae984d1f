cd "$ROOT"
"$GPUPLAN" size examples/chat-fleet.yaml --detail
