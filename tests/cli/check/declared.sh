# What is declared is judged, never what would be chosen: the fix names the machines that would do.
cp "$ROOT/examples/quickstart.yaml" .
code=0
"$GPUPLAN" check quickstart.yaml || code=$?
echo "exit $code"
