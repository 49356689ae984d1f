cd "$ROOT"
"$GPUPLAN" size examples/chat-fleet.yaml -f markdown
