# A workload that comes later is among the machines that are told by kind.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: ga}
spec:
  workloads:
  - name: chat
    type: inference
    model: llama-3.1-70b-fp8
    traffic:
      requestsPerSecond: {mean: 10, peak: 25}
      inputTokens: 2000
      outputTokens: 400
    goal:
      slo: {ttft: 3 s, tpot: 50 ms}
  candidates:
    allow: [dgx-h100]
    objective: minCost
  site:
    power: {itCapacity: 500 kW}
    racks: {count: 30}
    energy: {price: 0.12 USD/kWh}
  costs:
    budget: {capital: 20M USD}
  growth:
    horizon: 6 quarters
    scenarios:
      expected: {chat: 10%/mo}
    adds:
    - at: 2027-Q3
      workload:
        name: new
        type: inference
        model: gpt-oss-120b
        traffic:
          requestsPerSecond: {mean: 20, peak: 50}
          inputTokens: 2000
          outputTokens: 500
        goal:
          slo: {ttft: 2 s, tpot: 30 ms}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: q}
spec:
  currency: USD
  source: made up
  items:
  - {item: system/dgx-h100, price: 250000 USD}
  - {item: system/dgx-h200, price: 300000 USD}
  - {item: system/dgx-b200, price: 500000 USD}
  - {item: system/l40s-8gpu, price: 110000 USD}
  - {item: system/mi300x-8gpu, price: 200000 USD}
  - {item: system/rtx-pro-6000-8gpu, price: 120000 USD}
  - {item: system/gb200-nvl72, price: 2900000 USD}
  - {item: system/dgx-a100, price: 120000 USD}
  - {item: system/dgx-b300, price: 560000 USD}
  - {item: system/h100-nvl-8gpu, price: 200000 USD}
  - {item: system/mi355x-8gpu, price: 400000 USD}
  - {item: part/cable, price: 200 USD}
  - {item: part/transceiver, price: 900 USD}
  - {item: part/managementCable, price: 10 USD}
  - {item: part/rack, price: 4000 USD}
  - {item: part/powerStrip, price: 2500 USD}
  - {item: part/systemNode, price: 25000 USD}
  - {item: switch/qm9700, price: 30000 USD}
  - {item: switch/qm8700, price: 30000 USD}
  - {item: switch/arista-7060dx5-64s, price: 30000 USD}
  - {item: switch/sn4600c, price: 30000 USD}
  - {item: switch/sn2201, price: 30000 USD}
  - {item: switch/sn5600, price: 30000 USD}
  - {item: switch/q3400-ra, price: 30000 USD}
  - {item: switch/sn5610, price: 30000 USD}
PLAN
"$GPUPLAN" size plan.yaml --detail | sed -n '/^Machines over time/,/^Growth/p'
