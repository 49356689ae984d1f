# A site's budget is held against what is bought there, not against what is bought anywhere.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: sb}
spec:
  workloads:
  - name: chat
    type: inference
    model: llama-3.1-70b-fp8
    traffic:
      requestsPerSecond: {mean: 15, peak: 30}
      inputTokens: 1500
      outputTokens: 350
    goal:
      slo: {ttft: 1.5 s, tpot: 40 ms}
  - name: t
    type: finetune
    model: qwen3-32b
    data: {tokens: 1B tokens, sequenceLength: 4096, globalBatch: 256k}
    goal: {every: 7d, maxDuration: 2d}
  candidates:
    allow: [dgx-h100]
    objective: minCost
  growth:
    horizon: 4 quarters
    scenarios:
      expected: {chat: 10%/mo}
  sites:
  - name: a
    site:
      power: {itCapacity: 40 kW}
      energy: {price: 0.10 USD/kWh}
    cluster:
      pools:
      - {name: pa, system: dgx-h100, count: 1}
    budget: {capital: 600000 USD}
  - name: b
    site:
      power: {itCapacity: 60 kW}
      energy: {price: 0.20 USD/kWh}
    budget: {capital: 2M USD}
PLAN
"$GPUPLAN" size plan.yaml --prices "$ROOT"/tests/samples/prices/fabric.yaml --detail | sed -n '/^Growth/,/^To build/p'
