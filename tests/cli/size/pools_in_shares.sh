# Pools that the spec asks for are asked of every kind of machine that a service is shared out over:
# replicas that do both stood on one of two, and were judged as pools, so that no headroom missed a
# goal that more of it held.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: apart}
spec:
  defaults: {confidence: p90}
  cluster: {pools: [{name: old, system: dgx-a100, count: 1}, {name: new, system: dgx-h200, count: 4}]}
  candidates: {allow: [l40s-8gpu]}
  workloads:
    - name: chat
      type: inference
      model: qwen3-32b
      traffic: {requestsPerSecond: {mean: 11.2, peak: 16.8}, inputTokens: 1571, outputTokens: 267}
      goal: {slo: {ttft: 1500 ms, tpot: 95 ms}}
      disaggregated: true
PLAN
for headroom in 0 5 20; do
    "$GPUPLAN" size plan.yaml --simulate off --set defaults.headroom.gpus=$headroom% |
        grep "^apart\|^chat"
done
