# Quotas per kind of GPU, from a report that was kept.
cp "$ROOT/examples/quickstart.yaml" .
"$GPUPLAN" size -q quickstart.yaml -o report.json
"$GPUPLAN" export kueue report.json -o kueue.yaml
"$GPUPLAN" export kueue quickstart.yaml | cmp - kueue.yaml
grep -v digest kueue.yaml
"$GPUPLAN" export kueue report.json --api v1beta2 | grep -c v1beta2
