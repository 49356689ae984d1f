# A rack of switches and storage has feeds by what stands in it, too, strips for them, and is
# installed as the others are.
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: racks}
spec:
  site:
    power: {circuits: {phases: 3, voltage: 400 V, current: 63 A}, feeds: 2, redundancy: N+1}
    racks: {height: 48 U, maxPower: 45 kW}
  cluster:
    fabrics:
      - {name: compute, kind: infiniband, rate: 400 Gb/s, switch: qm9700}
      - {name: storage, kind: ethernet, rate: 400 Gb/s}
  candidates: [dgx-h200]
  workloads:
    - name: train
      type: training
      model: meta-llama/Llama-3.1-8B
      data: {tokens: 600B, sequenceLength: 8192, globalBatch: 4M}
      goal: {every: 91d, maxDuration: 60d}
  costs: {currency: USD, prices: ['file:prices.yaml']}
END
cat >prices.yaml <<'END'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: parts}
spec:
  currency: USD
  items: [{item: part/installation, price: 2500 USD}]
END
"$GPUPLAN" export bom plan.yaml | cut -d, -f1-5 | grep -e rack -e circuit -e strip -e installation
