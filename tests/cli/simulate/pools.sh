# A plan with pools of their own is simulated as such, each pool with its layout.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  cluster: {pools: [{name: p, system: dgx-h100, count: 60}], fabrics: [{name: compute, rate: 400 Gb/s}]}
  candidates: [dgx-h100]
  workloads:
    - name: w
      type: inference
      model: llama-3.1-70b-fp8
      traffic: {requestsPerSecond: {mean: 10, peak: 20}, inputTokens: {mean: 4000, p95: 8000}, outputTokens: 1000}
      goal: {slo: {ttft: 4 s, tpot: 20 ms}}
PLAN
"$GPUPLAN" size plan.yaml --detail | grep -A1 '^  layout'
"$GPUPLAN" simulate plan.yaml --requests 4000 | grep '^Simulation\|^layout'
