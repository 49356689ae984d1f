cp "$ROOT"/tests/samples/lock/plan.yaml .
sed 's/layers: 36/layers: 37/' "$ROOT"/tests/samples/lock/gpuplan.lock >gpuplan.lock
"$GPUPLAN" validate plan.yaml
"$GPUPLAN" validate plan.yaml --locked
