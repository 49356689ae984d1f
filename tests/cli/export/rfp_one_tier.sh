# What a fabric of one tier is to take on without another is what its leaves have ports for: two
# tiers would take more, and are not what is planned.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: flat}
spec:
  candidates: [dgx-b200]
  workloads:
    - {name: sft, type: finetune, model: llama-3.1-70b, data: {tokens: 3B tokens}, goal: {every: 7d, maxDuration: 3d}}
PLAN
"$GPUPLAN" size plan.yaml -o report.json >/dev/null
"$GPUPLAN" export rfp report.json --neutral | sed -n 's,^.*\(machines supported without another switch tier\),\1,p'
