# A row of the user's goes before the built-in one that has the same alias.
sed 's/12288/16384/' "$ROOT"/tests/samples/hf/Qwen--Qwen3-8B_config.json >config.json
"$GPUPLAN" import file:config.json --name Qwen/Qwen3-8B --now 2027-01-15 -q -o ours.yaml
sed 's/qwen3-8b/hf:Qwen\/Qwen3-8B/' "$ROOT"/tests/samples/lock/plan.yaml |
    sed 's/hf:example\/Ours-8B/hf:Qwen\/Qwen3-8B/; s/^  costs:.*//' >plan.yaml
"$GPUPLAN" explain plan.yaml chat parameters | grep '^parameters'
"$GPUPLAN" explain plan.yaml chat parameters --catalog ours.yaml | grep '^parameters'
