# A kind of machine that stands there and is bought again only as demand grows is described as those
# that are bought at first: a price was asked for machines that no requirement told of.
cat >hall.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: hallx}
spec:
  site:
    power: {itCapacity: 350 kW, feeds: 2, redundancy: 2N, annual: 1.25, design: 1.45, circuits: {phases: 3, voltage: 400 V, current: 63 A}}
    cooling: {air: {capacity: 350 kW, perRack: 40 kW}}
    racks: {count: 20, height: 48 U, maxPower: 45 kW}
    energy: {price: 0.13 USD/kWh, carbon: 0.25 kgCO2e/kWh, renewable: 30%, embodiedPerGpu: 150 kg}
  cluster:
    pools: [{name: old, system: dgx-h200, count: 4}]
    storage: [{name: s, capacity: 400 TB, readBandwidth: 40 GB/s, writeBandwidth: 20 GB/s}]
    reserve: {spareNodes: 1}
  candidates: {allow: [dgx-h200, dgx-b200], objective: minCost}
  costs:
    currency: USD
    amortization: 48 mo
    support: 8%/yr
    staff: 250000 USD/yr
    colocation: 150 USD/kW/mo
    softwareLicenses: 900 USD/gpu/yr
    residual: 10%
    discountRate: 6%/yr
    budget: {capital: 6M USD, recurring: 4M USD/yr}
    prices: [file:prices.yaml]
  workloads:
    - name: chat
      type: inference
      model: meta-llama/Llama-3.3-70B
      traffic: {requestsPerSecond: {mean: 12, peak: 24}, inputTokens: 2000, outputTokens: 400}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
    - name: tune
      type: finetune
      model: meta-llama/Llama-3.3-70B
      data: {tokens: 400M}
      goal: {every: 2 d, maxDuration: 10 h}
  growth:
    start: 2027-Q1
    horizon: 8 quarters
    leadTime: {gpus: 180 d, fabric: 90 d, power: 400 d}
    scenarios: {expected: {chat: 60%/yr}, high: {chat: 140%/yr}}
PLAN
cat >prices.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quote}
spec:
  currency: USD
  validUntil: 2027-06-30
  items:
    - {item: system/dgx-h200, price: 310000 USD}
    - {item: system/dgx-b200, price: 480000 USD}
    - {item: switch/qm9700, price: 25000 USD}
    - {item: switch/q3400-ra, price: 60000 USD}
    - {item: switch/arista-7060dx5-64s, price: 30000 USD}
    - {item: switch/sn2201, price: 3000 USD}
    - {item: part/rack, price: 4000 USD}
    - {item: part/cable, price: 200 USD}
    - {item: part/transceiver, price: 900 USD}
    - {item: part/managementCable, price: 20 USD}
    - {item: part/powerStrip, price: 1500 USD}
PLAN
"$GPUPLAN" export rfp hall.yaml --neutral | grep -e 'kind B' -e 'kind A: acc' -e growth
"$GPUPLAN" export rfp hall.yaml | grep 'accelerators in a '
