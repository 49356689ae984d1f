# Services of one rate on the same kinds of machines are sized each for itself, whatever is
# remembered of the shares of the other.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  candidates: [dgx-h100]
  cluster:
    pools:
      - {name: x, system: dgx-h100, count: 3}
      - {name: y, system: dgx-h200, count: 2}
      - {name: z, system: dgx-a100, count: 2}
  workloads:
    - name: a
      type: inference
      model: llama-3.1-70b-fp8
      traffic: {requestsPerSecond: 10, inputTokens: 2000, outputTokens: 200}
      goal: {slo: {ttft: 2 s, tpot: 60 ms}}
      disaggregated: false
      parallelism: {tp: 8}
    - name: b
      type: inference
      model: qwen3-32b
      traffic: {requestsPerSecond: 10, inputTokens: 500, outputTokens: 600}
      goal: {slo: {ttft: 2 s, tpot: 60 ms}}
      disaggregated: false
      parallelism: {tp: 8}
PLAN
"$GPUPLAN" size plan.yaml | sed -n "1p;/^[ab] /p;/^Site/p"
