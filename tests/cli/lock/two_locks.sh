mkdir a b
cp "$ROOT"/tests/samples/lock/* a/
cp "$ROOT"/tests/samples/lock/* b/
"$GPUPLAN" validate a/plan.yaml b/plan.yaml
