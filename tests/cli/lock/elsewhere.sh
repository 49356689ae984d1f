mkdir locks && cp "$ROOT"/tests/samples/lock/gpuplan.lock locks/
cp "$ROOT"/tests/samples/lock/plan.yaml .
"$GPUPLAN" validate plan.yaml --lock locks/gpuplan.lock --locked
"$GPUPLAN" validate plan.yaml
