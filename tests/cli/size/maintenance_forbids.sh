# More availability than maintenance windows leave is no matter of machines: it is told first.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: windows}
spec:
  candidates: [dgx-h100]
  cluster: {maintenance: {every: 13wk, duration: 8h}}
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b
      traffic: {requestsPerSecond: 4, inputTokens: 1200, outputTokens: 300}
      goal: {slo: {ttft: 2 s, tpot: 50 ms, availability: 99.7%}}
PLAN
"$GPUPLAN" size plan.yaml | grep -E '^(chat|Fix)' || true
"$GPUPLAN" size plan.yaml --set workloads.chat.goal.slo.availability=99.6% | grep -E '^(chat|Fix)'
