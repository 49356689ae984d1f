# Between specs each change is planned by itself: the line that matters is told from the others.
cp "$ROOT/examples/quickstart.yaml" base.yaml
sed -e 's/requestsPerSecond: [^,]*,/requestsPerSecond: 20,/' -e 's/completeWithin: 45d/completeWithin: 44d/' \
    -e 's/^\( *\)priority:.*//' base.yaml >head.yaml
cmp -s base.yaml head.yaml && echo "nothing was changed"
for form in text markdown json; do
    echo "== $form"
    "$GPUPLAN" diff base.yaml head.yaml -f $form || echo "exit $?"
done
"$GPUPLAN" diff base.yaml base.yaml || echo "exit $?"
# What holds on both sides is a change all the same, where that is asked for.
sed 's/count: [0-9]*/count: 40/' base.yaml >large.yaml
sed 's/completeWithin: 45d/completeWithin: 44d/' large.yaml >larger.yaml
for flag in '' --exit-code; do
    code=0
    "$GPUPLAN" diff large.yaml larger.yaml $flag >/dev/null || code=$?
    echo "exit $code"
done
