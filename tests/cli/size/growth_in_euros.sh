# What a year costs over the horizon is told in the currency of the plan.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: euros}
spec:
  site: {energy: {price: 0.18 EUR/kWh}}
  candidates: [dgx-b200]
  workloads:
    - name: chat
      type: inference
      model: llama-3.3-70b
      traffic: {requestsPerSecond: {mean: 10, peak: 24}, inputTokens: 2000, outputTokens: 400}
      goal: {slo: {ttft: 2 s, tpot: 45 ms}}
  growth: {start: 2027-Q1, horizon: 4 quarters, scenarios: {expected: {chat: 60%/yr}}}
  costs: {currency: EUR, amortization: 48 mo, budget: {recurring: 1M EUR/yr}}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quote}
spec:
  currency: EUR
  source: made up
  items:
    - {item: system/dgx-b200, price: 455k EUR}
    - {item: switch/qm9700, price: 28k EUR}
    - {item: switch/sn2201, price: 6k EUR}
    - {item: switch/arista-7060dx5-64s, price: 30k EUR}
    - {item: part/rack, price: 3k EUR}
    - {item: part/storage, price: 150k EUR}
    - {item: part/cable, price: 300 EUR}
    - {item: part/managementCable, price: 15 EUR}
    - {item: part/transceiver, price: 900 EUR}
PLAN
"$GPUPLAN" size plan.yaml --detail -o page.html | grep "Limit  \|cost per year"
grep -o "[0-9.k]* [A-Z]*/yr of [^,]*" page.html
