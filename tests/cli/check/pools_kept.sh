# Declared pools that hold as they are, of which fewer to read prompts would do: they are not
# counted as too few to write answers.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: apart}
spec:
  cluster: {pools: [{name: own, system: dgx-b200, count: 12}]}
  candidates: [dgx-b200]
  workloads:
    - name: s1
      type: inference
      model: mixtral-8x7b
      traffic: {inputTokens: 8000, outputTokens: 200, requestsPerSecond: {mean: 96.41, peak: 192.16}}
      goal: {slo: {ttft: {p95: 2 s}, tpot: 50 ms}}
      disaggregated: true
      prefill: {parallelism: {tp: 2}, replicas: 38}
      decode: {parallelism: {tp: 4}, replicas: 4}
PLAN
"$GPUPLAN" check plan.yaml | sed '/^Findings/,$d'
