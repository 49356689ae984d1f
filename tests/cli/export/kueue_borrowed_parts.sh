# Quotas add up to what there is, also where seats are parts of GPUs that their team borrows.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: borrowed}
spec:
  cluster: {pools: [{name: h, system: dgx-h100, count: 4}]}
  candidates: [dgx-h100]
  teams:
    - {name: base, quota: 24}
    - {name: apps, quota: 8, borrowing: 8}
  workloads:
    - {name: nb, team: apps, type: seats, seats: {atOnce: 20, memory: 20 GiB}}
    - name: tune
      team: base
      type: finetune
      model: llama-3.1-8b
      data: {tokens: 500M}
      goal: {every: 7d, maxDuration: 3d}
PLAN
"$GPUPLAN" export kueue plan.yaml >quotas.yaml
grep -e nominalQuota -e "name: \"[a-z]*\"$" quotas.yaml
