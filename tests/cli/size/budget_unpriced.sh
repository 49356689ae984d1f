# A budget says nothing of what has no price: all such parts are named alike, the limits of the
# horizon and the checks are not judged, and no sum passes for the whole.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: unpriced}
spec:
  site:
    power: {itCapacity: 60 kW, annual: 1.2, design: 1.3}
    energy: {price: 0.1 USD/kWh}
  candidates: {allow: [dgx-h200]}
  costs: {amortization: 60 mo, budget: {capital: 9M USD}}
  workloads:
    - name: tune
      type: finetune
      model: llama-3.1-8b
      data: {tokens: 8B tokens, sequenceLength: 4096, globalBatch: 256k}
      goal: {every: 7d, maxDuration: 2d}
  growth: {start: 2027-Q1, horizon: 4 quarters, scenarios: {expected: {tune: 40%/yr}}}
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
PRICES
"$GPUPLAN" size plan.yaml --prices prices.yaml --detail |
    grep -A4 '^Buy\|^Checks\|^  Limit\|left out\|GP6006'
echo == none of them has a price
"$GPUPLAN" size plan.yaml | grep -A3 '^Checks'
echo == all of today have one
cat >>prices.yaml <<'PRICES'
    - {item: part/rack, price: 4000 USD}
    - {item: part/cable, price: 250 USD}
    - {item: part/transceiver, price: 900 USD}
    - {item: part/managementCable, price: 15 USD}
    - {item: part/powerStrip, price: 900 USD}
    - {item: switch/qm9700, price: 28000 USD}
PRICES
"$GPUPLAN" size plan.yaml --prices prices.yaml --detail | grep -A2 '^Buy\|^Checks\|^  Limit'
echo == nor does what only later quarters buy lack one
cat >>prices.yaml <<'PRICES'
    - {item: part/storage, price: 150000 USD}
    - {item: switch/arista-7060dx5-64s, price: 30000 USD}
PRICES
"$GPUPLAN" size plan.yaml --prices prices.yaml --detail | grep -A3 '^Buy\|^Checks\|^  Limit'
echo == all but the circuits
"$GPUPLAN" size plan.yaml --prices prices.yaml --detail \
    --set 'site.power.circuits={phases: 3, voltage: 400 V, current: 63 A}' >out.txt
grep '^Buy\|left out' out.txt
grep -A2 '^Checks' out.txt
echo == what has no place today does not grow
"$GPUPLAN" size plan.yaml --prices prices.yaml --set 'site.power.itCapacity=1 kW' >out.txt || true
grep -A2 '^Checks' out.txt
"$GPUPLAN" size plan.yaml --prices prices.yaml --set 'site.power.itCapacity=1 kW' -f json |
    grep '"not judged'
