# A percentile of more than 3.87 times the mean, which no log-normal has, was simulated as one of
# that; and a p99 alone, or a median beside a mean, as the published shape.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: tails}
spec:
  candidates: [dgx-h100]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: 5, inputTokens: 2000, outputTokens: 300}
      goal: {slo: {ttft: 1 s, tpot: 40 ms}}
PLAN
for tokens in '{mean: 2000, p95: 7000}' '{mean: 2000, p95: 10000}' '{mean: 2000, p95: 30000}' \
    '{mean: 2000, p99: 9000}' '{mean: 2000, p50: 1000}'; do
    echo "$tokens"
    "$GPUPLAN" size plan.yaml --detail --set "workloads.chat.traffic.inputTokens=$tokens" |
        sed -n '/^  layout/p;/^  latency/p;/^  simulated/,/^  memory/p' | grep -v memory
done
