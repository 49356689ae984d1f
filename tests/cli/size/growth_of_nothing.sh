# A horizon over which nothing grows changes nothing of today's plan: other ways to come to a choice
# are looked at with it, too.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  site: {power: {annual: 1.3, design: 1.4, itCapacity: 1 MW}, energy: {price: 0.15 USD/kWh}}
  cluster: {pools: [{name: h1, system: dgx-h100, count: 8}]}
  candidates: {allow: [dgx-h100, gb200-nvl72], objective: minCost}
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b
      traffic: {requestsPerSecond: 60, inputTokens: 2000, outputTokens: 400}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
    - name: pre
      type: training
      model: llama-3.1-70b
      data: {tokens: 500B tokens, globalBatch: 4M tokens}
      goal: {completeWithin: 90d}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: p}
spec:
  currency: USD
  source: made up
  items:
    - {item: system/dgx-h100, price: 250000 USD}
    - {item: system/gb200-nvl72, price: 3500000 USD}
    - {item: switch/qm9700, price: 25000 USD}
PLAN
"$GPUPLAN" size plan.yaml --detail answer | sed -n "/^WORKLOAD/,/^Site/p"
"$GPUPLAN" size plan.yaml --detail answer --set growth.start=2027-Q1 \
    --set "growth.horizon=4 quarters" | sed -n "/^WORKLOAD/,/^Site/p"
