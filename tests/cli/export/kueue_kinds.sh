# Quotas of teams on several kinds of GPUs: of each kind no more than there is, first what a team's
# own workloads use, and also the kind that no workload is planned on.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: kinds}
spec:
  cluster: {pools: [{name: p, system: dgx-h100, count: 4}, {name: q, system: dgx-h200, count: 1}]}
  candidates: [dgx-h100, dgx-h200]
  teams:
    - {name: base, quota: 24, borrowing: 8}
    - {name: apps, quota: 14}
  workloads:
    - name: tune
      team: base
      type: finetune
      model: llama-3.1-8b
      data: {tokens: 2B tokens}
      goal: {every: 7d, maxDuration: 1d}
      placement: {pool: POOL}
PLAN
for pool in p q; do
    sed "s/POOL/$pool/" plan.yaml >"$pool.yaml"
    "$GPUPLAN" size "$pool.yaml" | grep -e '^tune' -e '^Teams'
    "$GPUPLAN" export kueue "$pool.yaml" | grep -e nominalQuota -e 'name: "[a-z0-9-]*"$'
done
