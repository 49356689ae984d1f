# What a service has of the machines that stand is its own today, also where what is bought for it
# comes beside them: three of six were told, with 7 needed and one to add.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: serving}
spec:
  cluster:
    pools:
      - {name: own, system: dgx-h100, count: 6}
  candidates: [own, dgx-h100]
  workloads:
    - name: assistant
      type: inference
      priority: 10
      model: meta-llama/Llama-3.3-70B
      traffic:
        requestsPerSecond: {mean: 18}
        profile: diurnal
        inputTokens: {mean: 1500, p95: 6000}
        outputTokens: {mean: 350, p95: 1000}
      goal: {slo: {ttft: 1.5 s, tpot: 40 ms}}
    - name: summarise
      type: inference
      priority: 5
      model: Qwen/Qwen3-32B
      traffic:
        requestsPerSecond: 4
        profile: diurnal
        inputTokens: {mean: 6000, p95: 12000}
        outputTokens: 300
      goal: {slo: {ttft: {p95: 6 s}, e2e: {p95: 30 s}}}
    - name: code
      type: inference
      priority: 1
      model: Qwen/Qwen3-Coder-30B-A3B-Instruct
      traffic:
        requestsPerSecond: 10
        profile: diurnal
        inputTokens: {mean: 3000, p95: 8000}
        outputTokens: 150
        prefixCacheHit: 60%
      goal: {slo: {ttft: 400 ms, tpot: 15 ms}}
PLAN
"$GPUPLAN" size plan.yaml --simulate off | sed -n '/^WORKLOAD/,/^together/p'
