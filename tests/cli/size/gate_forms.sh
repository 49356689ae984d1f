# The forms for gates: one finding, in each of them.
cp "$ROOT/examples/minimal.yaml" .
for form in junit tap github gitlab openmetrics csv; do
    echo "== $form"
    "$GPUPLAN" size minimal.yaml -f $form --fail-on error | sed -n 1,24p
done
