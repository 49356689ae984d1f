# The table has the usable memory that the details have: its digits are not cut.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: brief}
spec:
  candidates: [dgx-h200, dgx-b200]
  workloads:
    - {name: sft, type: finetune, model: llama-3.1-70b, data: {tokens: 3B tokens}, goal: {every: 7d, maxDuration: 3d}}
PLAN
"$GPUPLAN" size plan.yaml --detail | tr '\n' ' ' | grep -oE '[0-9]+ GiB,( *[0-9]+)( GiB)? usable'
