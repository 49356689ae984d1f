# A workload that comes later is among the machines that are told by kind.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: ga}
spec:
  workloads:
  - name: chat
    type: inference
    model: llama-3.1-70b-fp8
    traffic:
      requestsPerSecond: {mean: 10, peak: 25}
      inputTokens: 2000
      outputTokens: 400
    goal:
      slo: {ttft: 3 s, tpot: 50 ms}
  candidates:
    allow: [dgx-h100]
    objective: minCost
  site:
    power: {itCapacity: 500 kW}
    racks: {count: 30}
    energy: {price: 0.12 USD/kWh}
  costs:
    budget: {capital: 20M USD}
  growth:
    horizon: 6 quarters
    scenarios:
      expected: {chat: 10%/mo}
    adds:
    - at: 2027-Q3
      workload:
        name: new
        type: inference
        model: gpt-oss-120b
        traffic:
          requestsPerSecond: {mean: 20, peak: 50}
          inputTokens: 2000
          outputTokens: 500
        goal:
          slo: {ttft: 2 s, tpot: 30 ms}
PLAN
"$GPUPLAN" size plan.yaml --prices "$ROOT"/tests/samples/prices/fabric.yaml --detail | sed -n '/^Machines over time/,/^Growth/p'
