# What earlier quarters bought is paid once and costs every year after: capital at the horizon is that
# of all that stands there, and the year has what all of it is written off by.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: rec2}
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
    racks: {count: 30}
    energy: {price: 0.12 USD/kWh}
  costs:
    budget: {capital: 5M USD, recurring: 450000 USD/yr}
  growth:
    horizon: 6 quarters
    scenarios:
      expected: {chat: 10%/mo}
PLAN
for apart in true false; do
    "$GPUPLAN" size plan.yaml --prices "$ROOT"/tests/samples/prices/fabric.yaml --set workloads.chat.disaggregated=$apart --detail |
        sed -n "/^Growth/,/^To build/p"
done
