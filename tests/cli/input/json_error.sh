sed 's/type: inference/type: inferense/' "$ROOT/examples/minimal.yaml" >a.yaml
"$GPUPLAN" size a.yaml -f json 2>/dev/null
