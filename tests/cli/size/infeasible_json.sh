cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: too-large}
spec:
  candidates: {allow: [l40s-8gpu], limits: {maxNodes: 1}}
  workloads:
    - {name: chat, type: inference, model: kimi-k2, traffic: {requestsPerSecond: 1, inputTokens: 100, outputTokens: 100}}
PLAN
code=0
"$GPUPLAN" size plan.yaml -f json >report.json || code=$?
grep -o '"scale": *"infeasible"' report.json
exit $code
