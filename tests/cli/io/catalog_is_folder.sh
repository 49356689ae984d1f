cp "$ROOT/examples/minimal.yaml" .
mkdir folder
"$GPUPLAN" validate minimal.yaml --catalog folder
