# Prompts of a million tokens on a model that is made for 131k take minutes, not the 12 s in which as
# much as fits its context is read: the simulation serves them whole.
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
      traffic: {requestsPerSecond: 0.001, inputTokens: 1M, outputTokens: 500}
      goal: {slo: {ttft: 25 min, tpot: 100 ms}}
PLAN
"$GPUPLAN" size plan.yaml --detail | sed -n '/^reader  *nothing/p;/^Buy/p;/latency/,/simulated/p;/GP7005/,/^  at/p'
"$GPUPLAN" size plan.yaml --set 'workloads.reader.goal.slo.ttft=60 s' | sed -n '1p;/^reader/p'
