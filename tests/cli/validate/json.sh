cp "$ROOT/examples/minimal.yaml" .
"$GPUPLAN" validate minimal.yaml -f json
