# Today's machines are too few for two layouts: the reason counts what the planned one takes.
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: p}
spec:
  cluster: {pools: [{name: h100, system: dgx-h100, count: 6}]}
  candidates: [dgx-h100]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b
      traffic: {requestsPerSecond: {mean: 6}, profile: office, inputTokens: {mean: 1500, p95: 6000}, outputTokens: {mean: 300, p95: 900}}
      goal: {slo: {ttft: {p95: 1.5 s}, tpot: {p95: 45 ms}, availability: 99.95%}}
      scaling: {minReplicas: 2, spareReplicas: 1}
END
"$GPUPLAN" size plan.yaml --detail | sed -n '/^chat /p;/verdict/,/layout/p'
