# Requests that the model is not made for.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: x}
spec:
  candidates: [dgx-h200]
  workloads:
    - {name: chat, type: inference, model: llama-3.1-8b, traffic: {requestsPerSecond: 1, inputTokens: 200k, outputTokens: 100}, goal: {slo: {ttft: 5 min}}}
PLAN
"$GPUPLAN" size plan.yaml -f json >report.json || true
grep -o '"id": *"GP7005"' report.json
