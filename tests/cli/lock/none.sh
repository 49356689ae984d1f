cp "$ROOT"/tests/samples/lock/plan.yaml .
"$GPUPLAN" validate plan.yaml --locked || [ $? -eq 4 ]
sed -i 's/hf:example.Ours-8B/qwen3-8b/' plan.yaml
"$GPUPLAN" size plan.yaml
