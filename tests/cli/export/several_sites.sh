# Manifests are of one cluster; a bill is of all sites.
"$GPUPLAN" size "$ROOT"/examples/two-sites.yaml -q -o report.json
for kind in k8s slurm; do
    "$GPUPLAN" export $kind report.json 2>&1 || echo "exit $?"
done
"$GPUPLAN" export spec "$ROOT"/examples/two-sites.yaml 2>&1 || echo "exit $?"
"$GPUPLAN" export bom report.json | sed "s/,[0-9a-f]*$//"
