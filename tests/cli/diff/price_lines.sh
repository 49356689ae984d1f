# Prices that stand beside the plan are told line by line; the same prices in another file are none.
cat >base.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: priced}
spec:
  candidates: {allow: [dgx-h100], objective: minCost}
  workloads:
    - name: tune
      type: finetune
      model: llama-3.1-8b
      data: {tokens: 1.5B tokens, sequenceLength: 4096, globalBatch: 256k}
      goal: {every: 7d, maxDuration: 12h}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quote}
spec:
  currency: USD
  source: made up
  items:
    - {item: system/dgx-h100, price: 250000 USD}
PLAN
sed 's/12h/11h/' base.yaml >goal.yaml
sed 's/250000/240000/' base.yaml >price.yaml
for head in goal price; do
    "$GPUPLAN" diff base.yaml $head.yaml | sed -n '/^Changes/,/^Figures/p'
done
