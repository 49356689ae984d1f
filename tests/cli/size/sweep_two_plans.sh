cp "$ROOT/examples/minimal.yaml" a.yaml
sed 's/name: minimal/name: second/' a.yaml >b.yaml
"$GPUPLAN" size a.yaml b.yaml --set workloads.chat.traffic.requestsPerSecond=5,50
