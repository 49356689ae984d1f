cp "$ROOT/examples/minimal.yaml" .
"$GPUPLAN" size minimal.yaml --set workloads.chat.traffic.requestsPerSecond=5,50 -f markdown
