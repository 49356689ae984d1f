cp "$ROOT/examples/minimal.yaml" .
"$GPUPLAN" size minimal.yaml --set workloads.chat.goal.slo.ttft=5
