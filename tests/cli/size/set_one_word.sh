# A single word stands for a list of one.
cp "$ROOT/examples/minimal.yaml" .
"$GPUPLAN" size minimal.yaml --set candidates.allow=dgx-h200 -f json |
    grep -o '"system": *"[a-z0-9-]*"' | tr -d ' ' | sort -u
