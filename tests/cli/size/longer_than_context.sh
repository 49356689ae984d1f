# Prompts of 300k tokens on a model that is made for 131k take minutes, not the 12 s in which as much
# as fits its context is read: they are served whole, and where the longest take longer than the goal
# no number of machines helps.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: long}
spec:
  candidates: [dgx-h200]
  workloads:
    - name: reader
      type: inference
      model: llama-3.1-70b
      traffic: {requestsPerSecond: 0.001, inputTokens: 300k, outputTokens: 500}
      goal: {slo: {ttft: 15 min, tpot: 100 ms}}
PLAN
"$GPUPLAN" size plan.yaml --detail | sed -n '/^reader  *nothing/p;/^Buy/p;/latency/,/simulated/p;/GP7005/,/^  at/p'
"$GPUPLAN" size plan.yaml --set 'workloads.reader.goal.slo.ttft=6 min' | sed -n '1p;/^reader/p'
# Requests that no replica has room for are beyond every goal: where more of them come than its
# percentile spares, a larger layout is planned.
"$GPUPLAN" size plan.yaml --set workloads.reader.traffic.inputTokens=500k --set 'workloads.reader.goal.slo.ttft=90 min' --detail |
    sed -n '/^long/p;/^reader  *nothing/p;/GP3015/,/^  at/p'
