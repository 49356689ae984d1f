# A plan of pools that simulation lets in, written as a cluster, holds there.
cat >pools.yaml <<'Y'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: pools}
spec:
  candidates: [dgx-b200]
  defaults: {headroom: {gpus: 20%}}
  workloads:
    - {name: read, type: inference, model: gemma-3-27b, traffic: {requestsPerSecond: 33, inputTokens: 3000, outputTokens: 30}, goal: {slo: {ttft: 2108 ms, tpot: 30 ms}}}
Y
"$GPUPLAN" export spec pools.yaml >written.yaml
grep -A1 pools: written.yaml
"$GPUPLAN" check written.yaml | sed -n 1,5p
