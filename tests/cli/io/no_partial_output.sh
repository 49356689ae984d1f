# One output cannot be written: none is, and nothing is left behind.
cp "$ROOT/examples/minimal.yaml" .
code=0
"$GPUPLAN" size minimal.yaml -q -o report.json -o nowhere/report.md || code=$?
ls -A
exit $code
