# Of several sites one is asked about, with the workloads that may run there.
"$GPUPLAN" capacity "$ROOT"/examples/two-sites.yaml --site lulea --power 60kW
for wrong in "" "--site lula"; do
    # shellcheck disable=SC2086 # none or two words
    "$GPUPLAN" capacity "$ROOT"/examples/two-sites.yaml $wrong 2>&1 | sed "s|$ROOT/||"
done
