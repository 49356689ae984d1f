# What `check` finds on the machines that stand `size` finds, too, where the choice with purchases
# misses it.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  site: {power: {annual: 1.3, design: 1.4, itCapacity: 1 MW}, energy: {price: 0.10 USD/kWh}}
  cluster:
    pools: [{name: h1, system: dgx-h100, count: 6}, {name: a1, system: dgx-h200, count: 3}]
  candidates: {allow: [dgx-h100, dgx-h200], objective: minCost}
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b
      traffic: {requestsPerSecond: 24, inputTokens: 1000, outputTokens: 300}
      goal: &fast {slo: {ttft: 2 s, tpot: 50 ms}}
    - name: tune
      type: finetune
      model: llama-3.1-70b
      data: {tokens: 2B tokens, sequenceLength: 4096, globalBatch: 256k}
      goal: {every: 7d, maxDuration: 2d}
    - name: small
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: 6, inputTokens: 1000, outputTokens: 300}
      goal: *fast
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: p}
spec:
  currency: USD
  source: made up
  items:
    - {item: system/dgx-h100, price: 250000 USD}
    - {item: system/dgx-h200, price: 290000 USD}
    - {item: switch/qm9700, price: 28000 USD}
PLAN
"$GPUPLAN" size plan.yaml --detail answer | sed -n "1,/^Site/p"
"$GPUPLAN" check plan.yaml | head -1
