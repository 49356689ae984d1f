# Where requests wait for the next batch, as many wait at all times: that is no queue that grows.
# Declared machines held 8000 a second and did not hold 7800.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: emb}
spec:
  cluster: {pools: [{name: own, system: dgx-h200, count: 2}]}
  workloads:
    - name: embed
      type: inference
      model: qwen3-embedding-0.6b
      traffic: {requestsPerSecond: {mean: 8000}, inputTokens: 300, outputTokens: 0}
      goal: {slo: {ttft: 100 ms}}
PLAN
for rate in 7700 7800 7900 8000 8050 9500; do
    "$GPUPLAN" check plan.yaml --set "workloads.embed.traffic.requestsPerSecond.mean=$rate" |
        head -1
done
