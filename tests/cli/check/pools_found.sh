# Pools for prefill and decode that hold by simulation alone are found on the machines that stand,
# as by `size`: one machine fewer does not hold, and the fix names that one.
for count in 15 14; do
    cat >plan.yaml <<PLAN
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: found}
spec:
  cluster: {pools: [{name: p0, system: dgx-b200, count: $count}]}
  candidates: [dgx-b200]
  workloads:
    - {name: read, type: inference, model: qwen3-32b, traffic: {requestsPerSecond: 16.95, inputTokens: 8000, outputTokens: 100, profile: office}, goal: {slo: {ttft: 4 s, tpot: 80 ms}}}
PLAN
    "$GPUPLAN" check plan.yaml | sed -n '1p;/GP2002/,/^ *machines/p'
    "$GPUPLAN" size plan.yaml | grep '^read'
done
