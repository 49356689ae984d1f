# Prefill and decode apart, because it is asked for; and the same service together.
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
for apart in auto true false; do
    echo "$apart"
    "$GPUPLAN" size plan.yaml --set workloads.w.disaggregated=$apart --detail all |
        sed -n '/^  layout /,/^  latency/p; /^  split/,/^  holds/p' | grep -v '^  latency\|^  holds'
done
