"$GPUPLAN" check "$ROOT/examples/minimal.yaml" --now tomorrow
