# Percentiles of lengths that nobody stated stay within the model's context, and machines that a
# simulation shows to be enough are found under the limit of a plan's own size.
cat >long.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: long}
spec:
  candidates: [dgx-h200]
  workloads:
    - name: long
      type: inference
      model: llama-3.1-70b-fp8
      traffic: {requestsPerSecond: {mean: 0.2, peak: 0.4}, inputTokens: 100000, outputTokens: 1000, prefixCacheHit: 50%}
      goal: {slo: {ttft: 30 s, tpot: 50 ms}}
END
"$GPUPLAN" size long.yaml | sed -n '/^WORKLOAD/,/^Site/p'
cat >most.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: most}
spec:
  candidates: {allow: [dgx-h200], limits: {maxNodes: 8}}
  workloads:
    - name: s0
      type: inference
      model: llama-3.1-70b-fp8
      traffic: {requestsPerSecond: {mean: 15, peak: 45}, inputTokens: {mean: 2500, p95: 9000}, outputTokens: 200}
      goal: {slo: {ttft: 2 s, tpot: 30 ms}}
END
"$GPUPLAN" size most.yaml | sed -n '/^WORKLOAD/,/^Site/p'
