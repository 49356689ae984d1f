# Of the racks of several sites together no circuit is told that only one of them knows.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: halls}
spec:
  sites:
    - name: oslo
      site:
        power: {itCapacity: 100 kW, circuits: {phases: 3, voltage: 400 V, current: 63 A}}
        racks: {count: 4, maxPower: 45 kW}
      cluster: {pools: [{name: a, system: dgx-h100, count: 1}]}
    - name: rome
      site: {power: {itCapacity: 100 kW}, racks: {count: 4}}
  candidates: [dgx-h100]
  workloads: [{name: nb, type: seats, seats: {atOnce: 2, gpus: 1}}]
PLAN
"$GPUPLAN" size --detail plan.yaml >screen
sed -n "/^  racks/,+1p" screen
