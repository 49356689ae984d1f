cp "$ROOT"/tests/samples/lock/gpuplan.lock .
sed 's/Ours-8B/Theirs-8B/' "$ROOT"/tests/samples/lock/plan.yaml >plan.yaml
"$GPUPLAN" size plan.yaml --locked || [ $? -eq 4 ]
"$GPUPLAN" size plan.yaml
