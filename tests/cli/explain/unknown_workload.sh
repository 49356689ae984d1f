cp "$ROOT/examples/minimal.yaml" .
"$GPUPLAN" explain minimal.yaml chatt
