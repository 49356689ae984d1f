# Own or rent is told by what the plan's own price list says of an instance, not by the catalogue: 10
# USD an hour for 8 GPUs are 1.25; a list in euros says what the catalogue's dollars cannot.
plan() {
    cat <<PLAN
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: bid}
spec:
  site:
    power: {itCapacity: 500 kW, annual: 1.3}
    energy: {price: 0.15 $1/kWh}
  candidates: {allow: [dgx-h100], objective: minCost}
  costs: {amortization: 48 mo, currency: $1}
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b
      traffic: {requestsPerSecond: {mean: 20, peak: 30}, inputTokens: 1000, outputTokens: 300}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: q}
spec:
  currency: $1
  source: bid
  items:
    - {item: system/dgx-h100, price: 250000 $1}
    - {item: switch/qm9700, price: 28000 $1}
    - {item: "cloud:aws/p5.48xlarge", price: $2 $1/h}
PLAN
}
for bid in 'USD 10' 'USD 98' 'EUR 10'; do
    plan $bid >plan.yaml
    "$GPUPLAN" size plan.yaml --detail | sed -n '/^  or rent/,/^  delivered/p'
done
