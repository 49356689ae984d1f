# Blanks, comments and the order of entries are not content.
cp "$ROOT"/tests/samples/lock/plan.yaml .
sed 's/layers: 36/layers:   "36"  # as fetched/' "$ROOT"/tests/samples/lock/gpuplan.lock >gpuplan.lock
"$GPUPLAN" validate plan.yaml --locked
