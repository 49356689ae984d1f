# Own or rent compares the machines that are planned, also where another kind would be cheaper for
# the workload alone: shared spares and switches decide.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: own}
spec:
  site:
    power: {itCapacity: 400 kW, annual: 1.25, design: 1.4, circuits: {phases: 3, voltage: 400 V, current: 63 A}, feeds: 2, redundancy: N+1}
    cooling: {air: {capacity: 400 kW, perRack: 40 kW}}
    racks: {count: 14, height: 48 U, maxPower: 45 kW}
    energy: {price: 0.18 EUR/kWh, grid: deu}
  cluster:
    fabrics:
      - {name: compute, kind: infiniband, rate: 400 Gb/s, switch: qm9700}
      - {name: storage, kind: ethernet, rate: 400 Gb/s}
  candidates:
    allow: [dgx-h200, dgx-b200, "cloud:aws/p5en.48xlarge"]
    objective: minCost
  workloads:
    - name: chat
      type: inference
      priority: 10
      model: meta-llama/Llama-3.3-70B
      traffic: {requestsPerSecond: {mean: 10, peak: 24}, profile: office, inputTokens: 2000, outputTokens: 400}
      goal: {slo: {ttft: 2 s, tpot: 45 ms, availability: 99.5%}}
    - name: train
      type: training
      model: meta-llama/Llama-3.1-8B
      data: {tokens: 600B, sequenceLength: 8192, globalBatch: 4M}
      goal: {every: 91d, maxDuration: 60d}
  costs:
    currency: EUR
    amortization: 48 mo
    discountRate: 6%/yr
    support: 8%/yr
    staff: 250000 EUR/yr
    residual: 10%
    budget: {capital: 6M EUR, recurring: 3M EUR/yr}
    prices: ["file:prices.yaml"]
PLAN
cat >prices.yaml <<'PRICES'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quote-2027}
spec:
  currency: EUR
  validUntil: 2027-06-30
  source: quotation of a vendor, made up
  items:
    - {item: system/dgx-h200, price: 310000 EUR, leadTime: 20 weeks}
    - {item: system/dgx-b200, price: 455000 EUR, leadTime: 26 weeks}
    - {item: spare/dgx-h200, price: 300000 EUR}
    - {item: spare/dgx-b200, price: 440000 EUR}
    - {item: switch/qm9700, price: 28000 EUR}
    - {item: switch/arista-7060dx5-64s, price: 32000 EUR}
    - {item: switch/sn2201, price: 3000 EUR}
    - {item: part/rack, price: 4000 EUR}
    - {item: part/cable, price: 350 EUR}
    - {item: part/transceiver, price: 900 EUR}
    - {item: part/managementCable, price: 12 EUR}
    - {item: part/powerStrip, price: 900 EUR}
    - {item: part/circuit, price: 3500 EUR}
    - {item: part/installation, price: 2500 EUR}
    - {item: part/storage, price: 180000 EUR}
    - {item: "cloud:aws/p5en.48xlarge", price: 58 EUR/h}
PRICES
"$GPUPLAN" size plan.yaml --detail | sed -n '/^chat  *[n0-9]/p;/^train  *[n0-9]/p;/^  cloud/,/^  [^ ]/p' | grep -v software
