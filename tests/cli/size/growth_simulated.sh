# One replica that a simulation adds to four is no fifth of those of later quarters, whose demand is
# simulated, too: the last quarter comes near the plan for its demand, and not below it.
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: grows}
spec:
  candidates: [dgx-h200]
  workloads:
    - name: s0
      type: inference
      model: llama-3.1-70b-fp8
      traffic: {requestsPerSecond: 1, inputTokens: {mean: 2500, p95: 9000}, outputTokens: 1000, profile: office}
      parallelism: {tp: 4}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
  growth: {start: 2027-Q1, horizon: 6 quarters, scenarios: {expected: {s0: 20%/mo}}}
END
"$GPUPLAN" size plan.yaml --detail | sed -n '/^  Quarter/,/^$/p'
"$GPUPLAN" size plan.yaml --set workloads.s0.traffic.requestsPerSecond=15.4 | grep '^s0'
