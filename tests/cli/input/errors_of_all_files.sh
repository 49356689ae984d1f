sed 's/type: inference/type: inferense/' "$ROOT/examples/minimal.yaml" >a.yaml
sed 's/requestsPerSecond/requestPerSecond/; s/llama-3.1-8b/llama-3.1-9b/' "$ROOT/examples/minimal.yaml" >b.yaml
"$GPUPLAN" validate a.yaml b.yaml
