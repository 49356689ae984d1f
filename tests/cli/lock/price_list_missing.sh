cp "$ROOT"/tests/samples/lock/gpuplan.lock .
sed 's/lock:skypilot.*"/lock:ours"/' "$ROOT"/tests/samples/lock/plan.yaml >plan.yaml
"$GPUPLAN" size plan.yaml
