# Two services and a weekly run at two sites: whoever is placed first takes what others would rather
# have. A service once bought a machine more (362k USD/yr) because the run, busy 5 % of the time,
# stood on one in place. Holding the run at the other site makes no plan cheaper.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: turns}
spec:
  sites:
    - name: a
      site:
        power: {itCapacity: 100 kW, annual: 1.6}
        energy: {price: 0.2 USD/kWh, carbon: 0.4 kgCO2e/kWh}
      cluster: {pools: [{name: pa, system: dgx-h100, count: 2}]}
    - name: b
      site:
        power: {itCapacity: 40 kW, annual: 1.6}
        energy: {price: 0.03 USD/kWh, carbon: 0.4 kgCO2e/kWh}
      cluster: {pools: [{name: pb, system: dgx-h100, count: 3}]}
  candidates: {allow: [dgx-h200], objective: minCost}
  costs: {amortization: 48 mo}
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b
      traffic: {requestsPerSecond: {mean: 30, peak: 45}, inputTokens: 1000, outputTokens: 300}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
    - name: tune
      type: finetune
      model: llama-3.1-8b
      data: {tokens: 2B tokens, sequenceLength: 4096, globalBatch: 256k}
      goal: {every: 7d, maxDuration: 2d}
    - name: emb
      type: inference
      model: qwen3-embedding-8b
      traffic: {requestsPerSecond: 50, inputTokens: 500, outputTokens: 0}
      goal: {slo: {ttft: 300 ms}}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: q}
spec:
  currency: USD
  source: x
  items:
    - {item: system/dgx-h100, price: 250000 USD}
    - {item: system/dgx-h200, price: 290000 USD}
    - {item: switch/qm9700, price: 28000 USD}
PLAN
for set in metadata.name=free 'workloads.tune.placement={sites: [a]}'; do
    "$GPUPLAN" size plan.yaml --set "$set" | sed -n '/^chat /p;/^tune /p;/^emb /p;/^Buy/p;/^Sites/p'
done
