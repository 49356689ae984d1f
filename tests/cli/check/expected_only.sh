# A goal that the expected value meets and the edge of the band does not is a warning of its own,
# with the band; nothing more is said of what would change it.
cat >ft.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: ft}
spec:
  cluster: {pools: [{name: h, system: dgx-h100, count: 2}]}
  candidates: [dgx-h100]
  workloads:
    - name: ft
      type: finetune
      model: llama-3.1-8b
      data: {tokens: 1.5B tokens, sequenceLength: 4096, globalBatch: 256k}
      goal: {every: 7d, maxDuration: 4h}
PLAN
"$GPUPLAN" check ft.yaml
"$GPUPLAN" check ft.yaml --fail-on warning >/dev/null || echo "exit $?"
