# One report each, never merged; the list form only when there are several.
cp "$ROOT/examples/minimal.yaml" a.yaml
sed 's/name: minimal/name: second/' a.yaml >b.yaml
"$GPUPLAN" size a.yaml -f json | grep -c '"reports"' || true
"$GPUPLAN" size a.yaml b.yaml -f json | grep -c '"reports"'
"$GPUPLAN" size a.yaml b.yaml -f json | grep -o '"plan": *"[a-z]*"'
