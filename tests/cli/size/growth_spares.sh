# Spare machines that a list prices are bought for all of a kind; what is bought in a later quarter
# brings those that are missing, and not all of them again.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: spares}
spec:
  site: {energy: {price: 0.18 USD/kWh}}
  candidates: {allow: [dgx-b200], objective: minCost}
  workloads:
    - name: chat
      type: inference
      model: llama-3.3-70b
      traffic: {requestsPerSecond: {mean: 10, peak: 24}, inputTokens: 2000, outputTokens: 400}
      goal: {slo: {ttft: 2 s, tpot: 45 ms}}
  growth:
    start: 2027-Q1
    horizon: 8 quarters
    scenarios: {expected: {chat: 60%/yr}}
  costs: {amortization: 48 mo, budget: {capital: 4M USD}}
PLAN
cat >prices.yaml <<'PRICES'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quote}
spec:
  source: made up
  items:
    - {item: system/dgx-b200, price: 455000 USD}
    - {item: spare/dgx-b200, price: 440000 USD}
    - {item: switch/qm9700, price: 28000 USD}
    - {item: switch/sn2201, price: 6000 USD}
    - {item: part/rack, price: 4000 USD}
    - {item: part/cable, price: 250 USD}
    - {item: part/transceiver, price: 900 USD}
    - {item: part/managementCable, price: 15 USD}
PRICES
"$GPUPLAN" size plan.yaml --prices prices.yaml --detail | sed -n '/^Growth/,/^To build/p;/spare machine/p'
