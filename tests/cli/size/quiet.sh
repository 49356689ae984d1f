cp "$ROOT/examples/minimal.yaml" .
"$GPUPLAN" size -q minimal.yaml
