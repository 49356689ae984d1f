cp "$ROOT/examples/minimal.yaml" .
"$GPUPLAN" size minimal.yaml >/dev/full
