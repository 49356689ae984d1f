# What a service with shares on two kinds of machines has today of the kind that is named, and what
# that carries: not the machines of both kinds.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: kinds}
spec:
  site: {power: {itCapacity: 120 kW}}
  cluster:
    pools:
      - {name: h100, system: dgx-h100, count: 2}
      - {name: b200, system: dgx-b200, count: 1}
  candidates: {allow: [dgx-h100, dgx-b200]}
  workloads:
    - name: agent
      type: inference
      model: llama-3.1-70b-fp8
      traffic:
        {requestsPerSecond: 20, inputTokens: 8000, outputTokens: 300, prefixCacheHit: 70%}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
PLAN
"$GPUPLAN" size plan.yaml --detail | grep -A1 '^WORKLOAD\|^  verdict\|^  capacity' | grep -v '^--'
