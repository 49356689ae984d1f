# Prices that no longer stand on the day that is asked about are told; without a day none is read.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: quoted}
spec:
  cluster: {pools: [{name: own, system: dgx-h200, count: 1}]}
  workloads:
    - name: tune
      type: finetune
      model: llama-3.1-8b
      data: {tokens: 1B tokens, sequenceLength: 4096, globalBatch: 256k}
      goal: {every: 7d, maxDuration: 2d}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quote}
spec:
  currency: USD
  validUntil: 2027-06-30
  items: [{item: system/dgx-h200, price: 310000 USD}]
PLAN
for day in 2027-06-30 2027-07-01; do
    echo "== $day"
    "$GPUPLAN" check plan.yaml --now $day | sed -n '1p;/GP6008/,/^  fix/p'
done
echo == no day
"$GPUPLAN" check plan.yaml | sed -n '1p;/GP6008/,/^  fix/p'
