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
PLAN
"$GPUPLAN" size plan.yaml --prices "$ROOT"/tests/samples/prices/fabric.yaml --detail | sed -n '/^Machines over time/,/^To build/p'
