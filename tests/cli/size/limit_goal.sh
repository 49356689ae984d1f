# What a limit keeps out is told with the machines of a plan that would hold, and with the figures
# of those: goals of other machines, "1.36 of 1.36 s" beside a p95 of 0.97, are not told with them.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: warm-hall}
spec:
  site: {cooling: {air: {capacity: 11 kW}}}
  candidates: [l40s-8gpu]
  workloads:
    - name: chat
      type: inference
      model: qwen3-32b
      traffic: {requestsPerSecond: 7, inputTokens: 1482, outputTokens: 705}
      goal: {slo: {ttft: 1360 ms, tpot: 94 ms}}
PLAN
"$GPUPLAN" size plan.yaml | sed -n 3,4p
