# A need just above its limit is told with the digits that make the two differ.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: near}
spec:
  site: {power: {itCapacity: 7.785 kW, annual: 1.2, design: 1.3}}
  candidates: {allow: [dgx-h200]}
  workloads:
    - name: tune
      type: finetune
      model: llama-3.1-8b
      data: {tokens: 8B tokens, sequenceLength: 4096, globalBatch: 256k}
      goal: {every: 7d, maxDuration: 2d}
PLAN
"$GPUPLAN" size plan.yaml --detail | grep -A1 'short of power: needs\|short$\|GP5001'
