# What separate pools carry is told as simulated, not as the formula has it: a service at that rate
# keeps to its goals.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  defaults: {software: {engine: vllm}}
  candidates: {allow: [dgx-b200]}
  workloads:
    - name: agents
      type: inference
      model: deepseek-v3
      traffic:
        requestsPerSecond: {mean: 2, peak: 5}
        inputTokens: {mean: 6000, p95: 20000}
        outputTokens: {mean: 600, p95: 2000}
        prefixCacheHit: 60%
      goal: {slo: {ttft: 3 s, tpot: 50 ms}}
PLAN
"$GPUPLAN" size plan.yaml --detail | sed -n "/^  rate/s/,.*//p"
"$GPUPLAN" simulate plan.yaml --rate-scale 1.1 | sed -n 1p
