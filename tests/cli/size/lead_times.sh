# Purchases of growth are ordered by the longest lead time of what is bought: the item's own where a
# price list states it, else that of growth.
cat > plan.yaml <<'Y'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: growing}
spec:
  cluster: {fabrics: [{name: compute, kind: infiniband, rate: 400 Gb/s, switch: qm9700}]}
  candidates: {allow: [dgx-h200], objective: minPower}
  workloads:
    - name: train
      type: training
      model: llama-3.1-8b
      data: {tokens: 600B, sequenceLength: 8192, globalBatch: 4M}
      goal: {every: 91d, maxDuration: 60d}
  growth:
    start: 2027-Q1
    horizon: 4 quarters
    scenarios: {expected: {train: 100%/yr}}
Y
list() {
    cat > prices.yaml <<Y
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quote}
spec:
  currency: USD
  items:
    - {item: system/dgx-h200, price: 310000 USD$1}
    - {item: switch/qm9700, price: 28000 USD$2}
    - {item: part/rack, price: 4000 USD$3}
Y
}
orders() {
    echo "== $1"
    shift
    "$GPUPLAN" size plan.yaml --prices prices.yaml --detail "$@" 2>/dev/null |
        sed -n '/^  Quarter/,/^ *$/p'
}
stated='growth.leadTime={gpus: 24 weeks, fabric: 16 weeks}'
list
orders "growth alone" --set "$stated"
list ', leadTime: 60 weeks' ', leadTime: 52 weeks'
orders "the list alone"
orders "the list before growth" --set "$stated"
list ', leadTime: 10 weeks' '' ', leadTime: 30 weeks'
orders "what comes with the machines takes longer" --set "$stated"
# Switches are ordered where the first quarter buys some, whatever stands, and not where they stand.
orders "beside machines of another kind" --set "$stated" \
    --set 'cluster.pools=[{name: old, system: dgx-h100, count: 1}]'
orders "on switches that stand" --set "$stated" \
    --set 'cluster.pools=[{name: old, system: dgx-h200, count: 2}]'
