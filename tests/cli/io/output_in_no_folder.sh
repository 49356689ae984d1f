cp "$ROOT/examples/minimal.yaml" .
"$GPUPLAN" size minimal.yaml -q -o nowhere/report.json
