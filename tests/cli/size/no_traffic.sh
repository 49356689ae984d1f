# A service without its traffic: the missing keys are named, no goal counts as met.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: x}
spec:
  candidates: [dgx-h200]
  workloads:
    - {name: chat, type: inference, model: llama-3.1-8b, goal: {slo: {ttft: 1 s}}}
PLAN
"$GPUPLAN" size plan.yaml -f json >report.json
grep -o '"state": *"[A-Za-z]*"' report.json
grep -o 'traffic.requestsPerSecond, traffic.inputTokens, traffic.outputTokens not given[a-z, ]*' \
    report.json | sort -u
