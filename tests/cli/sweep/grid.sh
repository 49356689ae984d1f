# Every combination of two axes, with the front marked; a figure more, and one to keep large.
cp "$ROOT/examples/minimal.yaml" .
"$GPUPLAN" sweep minimal.yaml --set workloads.chat.traffic.requestsPerSecond=5,20,80 \
    --set workloads.chat.precision.weights=bf16,fp8
"$GPUPLAN" sweep minimal.yaml --set workloads.chat.precision.weights=bf16,fp8 --width 100 \
    --front summary.gpus --front max:workloads.chat.performance.requestsPerS \
    --metric workloads.chat.performance.tpotP95S -f csv
