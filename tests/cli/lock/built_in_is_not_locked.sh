cp "$ROOT"/tests/samples/lock/gpuplan.lock .
sed 's/example.Ours-8B/Qwen\/Qwen3-8B/' "$ROOT"/tests/samples/lock/plan.yaml >plan.yaml
"$GPUPLAN" validate plan.yaml
"$GPUPLAN" validate plan.yaml --locked
