# The page of a study, without its style.
cp "$ROOT/examples/minimal.yaml" .
"$GPUPLAN" sweep minimal.yaml --set defaults.confidence=expected,p90 -q -o sweep.html
sed -n '/<h1>/,$p' sweep.html
"$GPUPLAN" sweep minimal.yaml --vary 20% -f html | sed -n '/<h1>/,$p'
