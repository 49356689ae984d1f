cp "$ROOT/examples/minimal.yaml" .
mkdir report.json
code=0
"$GPUPLAN" size minimal.yaml -q -o report.json || code=$?
ls -A
exit $code
