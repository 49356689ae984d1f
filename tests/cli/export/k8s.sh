# A service on one host, with the metric of its engine; KEDA in place of HPA; an image of one's own.
cp "$ROOT/examples/chat-fleet.yaml" .
"$GPUPLAN" export k8s chat-fleet.yaml -w chat | grep -v -e digest -e sha256
"$GPUPLAN" export k8s chat-fleet.yaml -w chat --autoscaler keda --image registry.example/vllm:0.9 \
    --prometheus http://prometheus:9090 | sed -n "/kind: ScaledObject/,\$p" | grep -v -e digest -e sha256
"$GPUPLAN" export k8s chat-fleet.yaml -w chat --image registry.example/vllm:0.9 --autoscaler none | grep -c 'kind:'
