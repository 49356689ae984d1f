cp "$ROOT"/tests/samples/lock/plan.yaml .
cp plan.yaml gpuplan.lock
"$GPUPLAN" validate plan.yaml
