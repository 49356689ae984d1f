# A weekly run and a service at two sites: whoever is placed first takes what the other would rather
# have. The service once bought a machine more (426k USD/yr) because the run, busy 6 % of the time,
# stood on one in place. Holding the run at either site makes no plan cheaper.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: turns}
spec:
  sites:
    - name: a
      site:
        power: {itCapacity: 100 kW, annual: 1.5, design: 1.6}
        energy: {price: 0.30 USD/kWh, carbon: 0.5 kgCO2e/kWh}
      cluster: {pools: [{name: pa, system: dgx-h100, count: 2}]}
    - name: b
      site:
        power: {itCapacity: 100 kW, annual: 1.2, design: 1.3}
        energy: {price: 0.28 USD/kWh, carbon: 0.03 kgCO2e/kWh}
  candidates: {allow: [dgx-h100], objective: minCost}
  costs: {amortization: 48 mo, colocation: 150 USD/kW/mo}
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b
      traffic: {requestsPerSecond: {mean: 20, peak: 30}, inputTokens: 1000, outputTokens: 300}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
      disaggregated: false
    - name: tune
      type: finetune
      model: llama-3.1-8b
      data: {tokens: 2B tokens, sequenceLength: 4096, globalBatch: 256k}
      goal: {every: 7d, maxDuration: 2d}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: bid}
spec:
  currency: USD
  source: bid
  items:
    - {item: system/dgx-h100, price: 250000 USD}
    - {item: switch/qm9700, price: 28000 USD}
PLAN
for set in metadata.name=free 'workloads.tune.placement={sites: [a]}' 'workloads.tune.placement={sites: [b]}'; do
    "$GPUPLAN" size plan.yaml --set "$set" | sed -n '/^chat /p;/^tune /p;/^Buy/p;/^Sites/p'
done
