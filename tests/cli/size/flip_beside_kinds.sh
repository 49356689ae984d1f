# A flip point is simulated with what is placed at that load, not with what was tried on the way.
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: ranked}
spec:
  defaults: {confidence: p80}
  cluster: {pools: [{name: pool0, system: mi300x-8gpu, count: 3}], idle: poweredOn}
  candidates: {allow: [dgx-h200], objective: minGpus}
  workloads: [
    {name: w0, type: inference, model: bge-reranker-v2-m3, traffic: {requestsPerSecond: {mean: 212}, inputTokens: 268, outputTokens: 0}, goal: {slo: {e2e: 791 ms}}}]
  growth: {scenarios: {expected: {w0: 16%/quarter}}, start: 2027-Q1, horizon: 2 quarters}
END
"$GPUPLAN" size plan.yaml --detail | grep -E '^ +(capacity|changes)'
