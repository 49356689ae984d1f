# What a limit would have to be is the least that holds, not what the plan that is best without it
# takes.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: least}
spec:
  defaults:
    headroom: {gpus: 20%}
    software: {tuning: tuned}
  site:
    energy: {price: 0.06 USD/kWh, carbon: 0.3 kgCO2e/kWh}
  candidates:
    allow: [dell-xe8640, h100-nvl-8gpu, l40s-8gpu]
    objective: minPower
  workloads:
  - name: train0
    type: training
    model: llama-3.2-3b
    data: {tokens: 200B, sequenceLength: 8192, globalBatch: 1M}
    goal: {completeWithin: 60d}
  - name: lora1
    type: lora
    model: gemma-3-27b
    adapter: {method: lora, rank: 16}
    data: {tokens: 20M, sequenceLength: 2048, globalBatch: 32k}
    jobs: {perWeek: 20, concurrent: 1}
    goal: {maxDuration: 8h}
  - name: rl2
    type: rl
    model: llama-3.1-8b
    rl:
      algorithm: dapo
      promptsPerStep: 128
      samplesPerPrompt: 8
      promptTokens: 200
      responseTokens: {mean: 800, peak: 4000}
      steps: 200
    goal: {completeWithin: 7d}
  costs:
    currency: USD
    amortization: 48 mo
    budget: {capital: 146020 USD}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: pr}
spec:
  currency: USD
  items:
  - {item: system/dgx-h100, price: 250000 USD}
  - {item: system/dgx-h200, price: 300000 USD}
  - {item: system/dgx-b200, price: 480000 USD}
  - {item: system/l40s-8gpu, price: 120000 USD}
  - {item: system/dgx-a100, price: 110000 USD}
  - {item: system/h100-nvl-8gpu, price: 210000 USD}
  - {item: system/dell-xe9680-mi300x, price: 230000 USD}
  - {item: system/dgx-b300, price: 560000 USD}
  - {item: system/dell-xe8640, price: 140000 USD}
  - {item: system/dell-r760xa-4xl40s, price: 62000 USD}
  - {item: switch/qm8700, price: 15000 USD}
  - {item: switch/qm9790, price: 28000 USD}
  - {item: switch/qm9700, price: 30000 USD}
  - {item: switch/q3400-ra, price: 60000 USD}
  - {item: switch/arista-7060dx5-64s, price: 45000 USD}
  - {item: switch/sn4600c, price: 18000 USD}
  - {item: switch/sn5600, price: 50000 USD}
  - {item: switch/sn2201, price: 3000 USD}
  - {item: part/cable, price: 200 USD}
  - {item: part/transceiver, price: 900 USD}
  - {item: part/managementCable, price: 10 USD}
  - {item: part/rack, price: 4000 USD}
  - {item: part/powerStrip, price: 2500 USD}
  - {item: part/systemNode, price: 25000 USD}
PLAN
"$GPUPLAN" size plan.yaml | grep "^Fix"
for budget in 245k 252k; do
    "$GPUPLAN" size plan.yaml --set "costs.budget.capital=$budget USD" | sed -n 1p
done
