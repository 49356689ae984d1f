# Several outputs, forms by extension and by name; what is on standard output is the same.
cp "$ROOT/examples/minimal.yaml" .
"$GPUPLAN" size minimal.yaml -f json -o a.json -o b.md -o text=c.out >stdout
cmp stdout a.json
"$GPUPLAN" size minimal.yaml -f markdown | cmp - b.md
"$GPUPLAN" size minimal.yaml | cmp - c.out
ls -A
