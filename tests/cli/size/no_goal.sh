# Traffic without a goal: sized to the rate, and said so.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: x}
spec:
  candidates: [dgx-h200]
  workloads:
    - {name: chat, type: inference, model: llama-3.1-8b, traffic: {requestsPerSecond: 5, inputTokens: 1500, outputTokens: 300}}
PLAN
"$GPUPLAN" size plan.yaml -f json | grep -o '"id": *"GP3003"\|sized to the request rate only"'
