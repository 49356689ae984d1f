cp "$ROOT/examples/minimal.yaml" .
"$GPUPLAN" size - -f json <minimal.yaml | grep -c '"name": *"chat"'
