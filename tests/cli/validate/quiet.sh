cp "$ROOT/examples/minimal.yaml" .
"$GPUPLAN" validate -q minimal.yaml
