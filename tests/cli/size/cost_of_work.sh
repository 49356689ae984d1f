# A run and a million tokens cost what the workload itself takes of the plan: no less than its
# energy, and the machines of its own kind. Its factors are told, and come to the figure by hand.
spec() {
    cat <<PLAN
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: work}
spec:
  site: {power: {annual: 1.3}, energy: {price: 0.12 USD/kWh}}
PLAN
    cat
}
spec >owned.yaml <<'PLAN'
  cluster: {pools: [{name: h, system: dgx-h100, count: 3}]}
  candidates: [dgx-h100]
  workloads:
    - {name: pretrain, type: training, model: llama-3.1-8b, data: {tokens: 300B}, goal: {completeWithin: 30d}}
PLAN
spec >bought.yaml <<'PLAN'
  candidates: {allow: [l40s-8gpu, dgx-b200], objective: minCost}
  costs: {amortization: 48 mo}
  workloads:
    - {name: small, type: inference, model: llama-3.1-8b, traffic: {requestsPerSecond: 25, inputTokens: 1000, outputTokens: 200}, goal: {slo: {ttft: 3 s, tpot: 80 ms}}}
    - {name: big, type: inference, model: llama-3.1-405b-fp8, traffic: {requestsPerSecond: {mean: 10, peak: 20}, inputTokens: 2000, outputTokens: 400}, goal: {slo: {ttft: 3 s, tpot: 60 ms}}}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quote}
spec:
  items: [{item: system/l40s-8gpu, price: 70000 USD}, {item: system/dgx-b200, price: 450000 USD}, {item: switch/qm9700, price: 25000 USD}, {item: switch/qm8700, price: 12000 USD}]
PLAN
"$GPUPLAN" size owned.yaml --detail | sed -n '/^  run /{N;p;};/^  per unit/p'
"$GPUPLAN" explain owned.yaml pretrain costPerRun | sed -n '/^runCost/,/^$/p'
"$GPUPLAN" size bought.yaml --detail | sed -n '/^  per unit/p;/^  cost /,/^  or rent/{/^  or rent/!p;}'
for w in small big; do
    "$GPUPLAN" explain bought.yaml $w costPerMillionTokens |
        sed -n '/^  performance/p;/^millionTokensCost/,/^$/p;/^serviceCost/,/^$/p'
done
