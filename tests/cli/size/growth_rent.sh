# What a limit leaves no room for is rented: the limits, the machines over time and the growth say so
# alike, and the rent counts against the budget of a year.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: gcl}
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
  - name: t
    type: finetune
    model: llama-3.1-8b
    data: {tokens: 2B tokens, sequenceLength: 4096, globalBatch: 256k}
    goal: {every: 7d, maxDuration: 1d}
  candidates:
    allow: [dgx-h100, 'cloud:aws/p5.48xlarge']
    objective: minCost
  site:
    energy: {price: 0.12 USD/kWh, carbon: 0.3 kgCO2e/kWh}
    power: {itCapacity: 45 kW}
    racks: {count: 6}
  costs:
    budget: {capital: 3M USD, recurring: 900000 USD/yr}
  growth:
    horizon: 6 quarters
    leadTime: {gpus: 16 weeks}
    scenarios:
      expected: {chat: 9%/mo}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: q}
spec:
  currency: USD
  source: made up
  items:
  - {item: system/dgx-h100, price: 250000 USD}
  - {item: part/cable, price: 200 USD}
  - {item: part/transceiver, price: 900 USD}
  - {item: part/managementCable, price: 10 USD}
  - {item: part/rack, price: 4000 USD}
  - {item: part/powerStrip, price: 2500 USD}
  - {item: switch/qm9700, price: 30000 USD}
  - {item: switch/sn2201, price: 30000 USD}
PLAN
"$GPUPLAN" size plan.yaml --detail | sed -n '/^Machines over time/,/^To build/p'
