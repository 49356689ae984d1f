cp "$ROOT/examples/quickstart.yaml" .
"$GPUPLAN" explain quickstart.yaml pretrain performance.stepTimeS
