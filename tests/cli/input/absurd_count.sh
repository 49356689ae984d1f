cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: absurd}
spec:
  cluster:
    pools: [{name: gpu, system: dgx-h200, count: 1000000000000000000000000000000}]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: 5, inputTokens: 1500, outputTokens: 300}
PLAN
"$GPUPLAN" size plan.yaml
