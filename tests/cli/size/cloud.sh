# A run of half a day a week is rented, a service owned; a full site rents what it has no room for,
# and quarters that outgrow it burst into the cloud. Without a cloud the same is infeasible.
cp "$ROOT/tests/samples/plans/hybrid.yaml" .
show() {
    echo "## $*"
    "$GPUPLAN" size hybrid.yaml "$@" --detail >out || echo "exit $?"
    sed -n '/^WORKLOAD/,/^Next/p' out
    grep -A2 -E '^  (cloud|cost)  ' out || true
    sed -n '/^Growth$/,/^Bill/p' out
    grep -A1 -E '^(error|warning)' out || true
}
show
show --set 'site.power.itCapacity=50 kW'
show --set 'site.power.itCapacity=40 kW'
show --set 'site.power.itCapacity=40 kW' --set 'candidates.allow=[dgx-h200]'
