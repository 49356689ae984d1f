cp "$ROOT/examples/quickstart.yaml" .
"$GPUPLAN" size quickstart.yaml -w chatt
