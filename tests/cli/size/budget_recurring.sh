# A year pays for all that is bought: with parts that have no price its sum is the least it can be,
# and below the limit that says nothing; above it, it does. So it is for what later quarters buy.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: recurring}
spec:
  site:
    power: {itCapacity: 60 kW, annual: 1.2, design: 1.3}
    energy: {price: 0.1 USD/kWh}
  candidates: {allow: [dgx-h200]}
  costs: {amortization: 60 mo, budget: {recurring: 70k USD/yr}}
  workloads:
    - name: tune
      type: finetune
      model: llama-3.1-8b
      data: {tokens: 8B tokens, sequenceLength: 4096, globalBatch: 256k}
      goal: {every: 7d, maxDuration: 2d}
PLAN
cat >prices.yaml <<'PRICES'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quote}
spec:
  source: made up
  items:
    - {item: system/dgx-h200, price: 290000 USD}
    - {item: switch/sn2201, price: 6000 USD}
    - {item: part/managementCable, price: 15 USD}
PRICES
"$GPUPLAN" size plan.yaml --prices prices.yaml --detail | grep -A3 '^Site\|^Checks\|GP6006'
"$GPUPLAN" size plan.yaml --prices prices.yaml -f tap | grep "GP600[26]"
echo == what has a price is too much
"$GPUPLAN" size plan.yaml --prices prices.yaml --set 'costs.budget.recurring=60k USD/yr' >out.txt ||
    grep '^tune\|^Checks' out.txt
echo == the cluster is there, and only later quarters buy
cat >>plan.yaml <<'PLAN'
  cluster: {pools: [{name: hopper, system: dgx-h200, count: 1}]}
  growth: {start: 2027-Q1, horizon: 4 quarters, scenarios: {expected: {tune: 90%/yr}}}
PLAN
"$GPUPLAN" size plan.yaml --prices prices.yaml --set 'costs.budget.capital=9M USD' --detail |
    grep -A2 '^Checks\|^  Limit\|^  capital'
