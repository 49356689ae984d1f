# A row of the user's own is as good as one of the lock.
cp "$ROOT"/tests/samples/lock/gpuplan.lock .
sed 's/example.Ours-8B/ours\/8B/' "$ROOT"/tests/samples/lock/plan.yaml >plan.yaml
"$GPUPLAN" import file:"$ROOT"/tests/samples/hf/Qwen--Qwen3-8B_config.json --name ours/8B --now 2027-01-15 -q -o ours.yaml
"$GPUPLAN" validate plan.yaml --catalog ours.yaml --locked
