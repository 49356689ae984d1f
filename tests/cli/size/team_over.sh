# A team that uses more than it may is no plan that holds, for size as for check.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: teams}
spec:
  workloads:
  - name: chat
    type: inference
    model: qwen3-32b
    traffic:
      requestsPerSecond: {mean: 10, peak: 24}
      inputTokens: 1500
      outputTokens: 350
    goal:
      slo: {ttft: 1.5 s, tpot: 40 ms}
    team: prod
  - name: t
    type: finetune
    model: llama-3.1-8b
    data: {tokens: 2B tokens, sequenceLength: 4096, globalBatch: 256k}
    goal: {every: 7d, maxDuration: 1d}
    team: res
  - name: nb
    team: res
    type: seats
    seats: {atOnce: 6, gpus: 1}
  candidates:
    allow: [dgx-h100]
  site:
    energy: {price: 0.12 USD/kWh}
  cluster:
    pools:
    - {name: a, system: dgx-h100, count: 4}
  teams:
  - {name: prod, quota: 8, borrowing: 0}
  - {name: res, quota: 24}
PLAN
"$GPUPLAN" size plan.yaml >screen || echo "exit $?"
sed -n "1p;/^Teams/p" screen
"$GPUPLAN" check plan.yaml >screen || echo "exit $?"
sed -n 1p screen
