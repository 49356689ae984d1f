# A row of the horizon holds all its orders: those of machines, switches and power.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: hall}
spec:
  site: {power: {itCapacity: 24 kW, annual: 1.2, design: 1.3}, racks: {count: 24, maxPower: 32 kW}}
  cluster:
    pools: [{name: own, system: dgx-h200, count: 1}]
    fabrics: [{name: compute, kind: infiniband, rate: 400 Gb/s, switch: qm9700}]
  candidates: {allow: [dgx-h200]}
  workloads:
    - name: tune
      type: finetune
      model: llama-3.1-8b
      data: {tokens: 90B tokens, sequenceLength: 4096, globalBatch: 4M}
      goal: {every: 30d, maxDuration: 10d}
  growth:
    start: 2027-Q1
    horizon: 8 quarters
    leadTime: {gpus: 20wk, fabric: 16wk, power: 52wk}
    scenarios: {low: {tune: 20%/yr}, expected: {tune: 160%/yr}, high: {tune: 300%/yr}}
PLAN
"$GPUPLAN" size plan.yaml --detail | sed -n '/^  Quarter/p;/^  2028-Q3/,/^  2028-Q4/p'
