# A limit that is named in a fix is what a plan made with it takes: the plan with it holds and buys
# no more than that, and under a twentieth less it does not hold.
cat >train.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: train}
spec:
  site:
    power: {itCapacity: 250 kW, annual: 1.25, design: 1.4}
    racks: {count: 20, maxPower: 40 kW}
    energy: {price: 0.12 USD/kWh}
  cluster:
    pools:
      - {name: main, system: dgx-h100, count: 6}
    fabrics:
      - {name: compute, rate: 400 Gb/s, switch: qm9700}
  candidates: {allow: [dgx-h100, dgx-h200, dgx-b200], objective: minCost}
  costs: {amortization: 48 mo, support: 8%/yr, budget: {capital: 500k USD}}
  workloads:
    - name: base
      type: training
      model: qwen3-14b
      data: {tokens: 600B tokens, sequenceLength: 8192, globalBatch: 2M tokens}
      goal: {completeWithin: 40d}
      priority: 10
    - name: tune
      type: finetune
      model: llama-3.1-70b
      data: {samples: 150k, tokensPerSample: 1000, epochs: 3, sequenceLength: 4096, globalBatch: 256k}
      goal: {every: 7d, maxDuration: 20h}
      priority: 5
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quote}
spec:
  currency: USD
  source: made up
  items:
    - {item: system/dgx-h100, price: 250000 USD}
    - {item: system/dgx-h200, price: 300000 USD}
    - {item: system/dgx-b200, price: 480000 USD}
    - {item: system/l40s-8gpu, price: 110000 USD}
    - {item: switch/qm9700, price: 30000 USD}
    - {item: switch/sn4600c, price: 18000 USD}
    - {item: switch/sn2201, price: 3000 USD}
    - {item: part/rack, price: 4000 USD}
    - {item: part/cable, price: 200 USD}
    - {item: part/transceiver, price: 900 USD}
PLAN
"$GPUPLAN" size train.yaml >screen || [ $? -eq 1 ]
sed -n '/^Fix/p' screen
capital=$(sed -n 's/^Fix .* to \([0-9.]*\)M USD$/\1/p' screen)
"$GPUPLAN" size train.yaml --set "costs.budget.capital=$capital""M USD" | sed -n '1p;/^Buy/p'
less=$(awk "BEGIN {print 0.95 * $capital}")
"$GPUPLAN" size train.yaml --set "costs.budget.capital=$less""M USD" | sed -n 1p || true
