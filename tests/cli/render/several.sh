# Several plans in one file, from standard input.
cp "$ROOT/examples/minimal.yaml" a.plan.yaml
sed 's/name: minimal/name: other/' a.plan.yaml >b.plan.yaml
"$GPUPLAN" size . -f json | "$GPUPLAN" render - -f csv | cut -d, -f1-4
