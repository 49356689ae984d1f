# Between specs each change is planned by itself: the line that matters is told from the others.
cp "$ROOT/examples/quickstart.yaml" base.yaml
sed -e 's/requestsPerSecond: [^,]*,/requestsPerSecond: 90,/' -e 's/completeWithin: 45d/completeWithin: 44d/' \
    -e 's/^\( *\)priority:.*//' base.yaml >head.yaml
cmp -s base.yaml head.yaml && echo "nothing was changed"
for form in text markdown json; do
    echo "== $form"
    "$GPUPLAN" diff base.yaml head.yaml -f $form
done
"$GPUPLAN" diff base.yaml base.yaml --exit-code
code=0
"$GPUPLAN" diff base.yaml head.yaml --exit-code >/dev/null || code=$?
echo "exit $code"
