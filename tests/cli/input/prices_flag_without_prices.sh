cp "$ROOT/examples/minimal.yaml" .
"$GPUPLAN" size minimal.yaml --prices minimal.yaml
