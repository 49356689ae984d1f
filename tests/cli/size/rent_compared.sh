# Owning is compared with the same instance in the cost of the plan as for each workload: that among
# the candidates, or the one that a price list has, before what the catalogue knows of others.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: compared}
spec:
  site: {power: {annual: 1.3}, energy: {price: 0.15 USD/kWh}}
  candidates: {allow: [dgx-h100, "cloud:aws/p5.48xlarge"], objective: minCost}
  costs: {amortization: 36 mo}
  workloads:
    - {name: chat, type: inference, model: llama-3.1-8b, traffic: {requestsPerSecond: 20, inputTokens: 1000, outputTokens: 200}, goal: {slo: {ttft: 2 s, tpot: 40 ms}}}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quote}
spec:
  items:
    - {item: system/dgx-h100, price: 280000 USD}
    - {item: "cloud:aws/p5.48xlarge", price: 60 USD/h}
PLAN
even() {
    "$GPUPLAN" size plan.yaml --detail "$@" |
        sed -n '/^  cloud /,/^  [^ ]/{/^  cloud /p;/^   /p;};/^  or rent/,/^  delivered/{/^  delivered/!p;}'
}
even
even --set 'candidates.allow=[dgx-h100]'
