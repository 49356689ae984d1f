# Names as people write them: a model by its repository, by what is left of its name, or as a tuned
# checkpoint; a grid by its code or its country. What is near a name is suggested.
for model in meta-llama/Llama-3.3-70B Qwen/Qwen3-235B-A22B-Instruct qwen3-235b llama-3.1-8b-it; do
    echo "$model: $("$GPUPLAN" catalog show models "$model" | sed -n 1p)"
done
for grid in DE germany UK 'united states' "NO"; do
    echo "$grid: $("$GPUPLAN" catalog show grids "$grid" | sed -n 1p)"
done
for wrong in 'models llama-3.1-7b' 'models hf:nobody/nothing' 'grids germny'; do
    # shellcheck disable=SC2086 # two words
    "$GPUPLAN" catalog show $wrong 2>&1 || echo "exit $?"
done
# The report calls a model as the spec does.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: named}
spec:
  candidates: [dgx-h100]
  workloads: [{name: chat, type: inference, model: meta-llama/Llama-3.3-70B}]
PLAN
"$GPUPLAN" size plan.yaml --detail | grep '^chat:'
