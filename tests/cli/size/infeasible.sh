# A model larger than any candidate: the answer is no, with what binds and what would lift it.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: too-large}
spec:
  candidates: {allow: [l40s-8gpu], limits: {maxNodes: 2}}
  workloads:
    - name: pretrain
      type: training
      model: llama-3.1-405b
      data: {tokens: 1T tokens, sequenceLength: 8192, globalBatch: 4M tokens}
      goal: {completeWithin: 60d}
PLAN
"$GPUPLAN" size plan.yaml
