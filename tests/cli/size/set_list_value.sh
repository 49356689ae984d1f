# Commas inside brackets belong to the value.
cp "$ROOT/examples/minimal.yaml" .
"$GPUPLAN" size minimal.yaml -f json --set 'candidates.allow=[dgx-h100, dgx-h200]' |
    grep -o '"system": *"[a-z0-9-]*"' | tr -d ' ' | sort -u
