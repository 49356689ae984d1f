# A declared cluster: what is there, what it carries beside others, and what a limit leaves for more.
cp "$ROOT/examples/quickstart.yaml" .
"$GPUPLAN" capacity quickstart.yaml
"$GPUPLAN" capacity quickstart.yaml --power 300kW -o capacity.json -o capacity.md
sed -n '/"plan"/,/"demands"/p' capacity.json
grep -c '"measure"' capacity.json
