# Findings fail a run only where asked for.
cp "$ROOT/examples/minimal.yaml" .
for level in error warning note; do
    code=0
    "$GPUPLAN" size -q minimal.yaml --fail-on $level || code=$?
    echo "$level $code"
done
