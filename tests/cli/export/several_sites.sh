# Manifests are of one cluster; a bill is of all sites.
for kind in k8s slurm spec; do
    "$GPUPLAN" export $kind "$ROOT"/examples/two-sites.yaml 2>&1 || echo "exit $?"
done
"$GPUPLAN" export bom "$ROOT"/examples/two-sites.yaml | sed "s/,[0-9a-f]*$//"
