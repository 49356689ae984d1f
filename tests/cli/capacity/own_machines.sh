# A workload that the added machines are not for is short of those that are installed: the number
# that may be bought is not what binds.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: two-pools}
spec:
  site: {power: {itCapacity: 150 kW}}
  cluster:
    pools:
      - {name: a100, system: dgx-a100, count: 3}
      - {name: h100, system: dgx-h100, count: 1}
  candidates: [dgx-h100]
  workloads:
    - name: tune
      type: finetune
      model: llama-3.1-8b
      data: {tokens: 800M tokens, sequenceLength: 4096, globalBatch: 256k}
      goal: {every: 7d, maxDuration: 2d}
      placement: a100
PLAN
"$GPUPLAN" capacity plan.yaml | grep "tune\|^dgx-h100"
