# Runs that end wait for each other on machines that are free, too, where both at once would take
# more: here storage for the checkpoints of both. Not so where the shortest time is wanted.
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  site: {energy: {price: 0.12 USD/kWh}}
  cluster: {pools: [{name: p, system: dgx-h100, count: 2}]}
  candidates: {allow: [dgx-h100], objective: minCost}
  workloads:
    - {name: a, type: finetune, model: llama-3.1-8b, data: {tokens: 1B}, goal: {completeWithin: 30d}}
    - {name: b, type: finetune, model: llama-3.1-8b, data: {tokens: 1B}, goal: {completeWithin: 30d}}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: q}
spec:
  currency: USD
  source: made up
  items:
    - {item: system/dgx-h100, price: 250000 USD}
    - {item: storage/ddn-ai400x2-turbo, price: 400000 USD}
END
"$GPUPLAN" size plan.yaml | sed -n '/^WORKLOAD/,/^Site/p'
