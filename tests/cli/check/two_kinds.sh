# A service over two kinds of machine, as it was exported: kinds that only it asks for are searched
# while it is shared out, and what was found stays. The other one keeps its goals.
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata:
  name: shared
spec:
  site:
    energy:
      price: 0.28 USD/kWh
  cluster:
    pools:
      - {name: pool0, system: dgx-h100, count: 6}
      - {name: dgx-b300, system: dgx-b300, count: 1}
    reserve:
      systemNodes: 0
    idle: poweredOn
  candidates:
    allow:
      - dgx-b300
      - h100-nvl-8gpu
    objective: auto
  workloads:
    - name: w0
      type: inference
      model: llama-3.1-70b-fp8
      traffic: {requestsPerSecond: {mean: 4.6}, inputTokens: 3903, outputTokens: 748, profile: flat}
      goal: {slo: {e2e: 23 s}}
      disaggregated: false
    - name: w1
      type: inference
      model: gpt-oss-120b
      traffic: {requestsPerSecond: {mean: 1}, inputTokens: {mean: 2759, p95: 8277}, outputTokens: {mean: 467, p95: 1401}, prefixCacheHit: 20%}
      goal: {slo: {ttft: 1440 ms, tpot: 49 ms, availability: 99%}}
      speculative: {tokens: 1}
      priority: 2
      placement: {pool: pool0}
      parallelism: {tp: 2, pp: 1}
      replicas: 1
---
apiVersion: gpuplan/v1
kind: Prices
metadata:
  name: quote
spec:
  currency: USD
  source: quote
  items:
    - item: system/dgx-h100
      price: 250k USD
    - item: system/dgx-h200
      price: 300k USD
    - item: system/dgx-b200
      price: 480k USD
    - item: system/l40s-8gpu
      price: 110k USD
    - item: system/dgx-a100
      price: 120k USD
    - item: system/mi300x-8gpu
      price: 230k USD
    - item: system/dgx-b300
      price: 520k USD
    - item: system/h100-nvl-8gpu
      price: 180k USD
    - item: system/rtx-pro-6000-8gpu
      price: 130k USD
    - item: system/dell-xe8640
      price: 140k USD
    - item: system/mi325x-8gpu
      price: 260k USD
    - item: system/dell-r760xa-4xl40s
      price: 60k USD
    - item: system/gb200-nvl72
      price: 3400k USD
    - item: cloud:aws/p5.48xlarge
      price: 60 USD/h
    - item: cloud:aws/p5en.48xlarge
      price: 75 USD/h
    - item: part/cable
      price: 200 USD
    - item: part/transceiver
      price: 900 USD
    - item: part/managementCable
      price: 10 USD
    - item: part/rack
      price: 4000 USD
    - item: part/powerStrip
      price: 2500 USD
    - item: part/systemNode
      price: 25000 USD
    - item: switch/sn2201
      price: 3000 USD
END
"$GPUPLAN" check plan.yaml | grep '^w1 '
