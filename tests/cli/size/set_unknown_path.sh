cp "$ROOT/examples/minimal.yaml" .
"$GPUPLAN" size minimal.yaml --set workloads.chat.trafic.requestsPerSecond=5
