# Fewer replicas that a short run cannot fill are run longer: seven hold where eight were planned.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: filled}
spec:
  candidates: {allow: [dell-xe8640], objective: minPower}
  workloads:
  - {name: inf0, type: inference, model: gemma-3-27b, traffic: {requestsPerSecond: 80, inputTokens: 200, outputTokens: 300}, goal: {slo: {ttft: 500 ms, tpot: 100 ms}}}
PLAN
"$GPUPLAN" size plan.yaml | sed -n "1p;/^inf0/p"
