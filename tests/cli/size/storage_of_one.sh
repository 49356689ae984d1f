# Checkpoints of one machine lie on its drives, whatever stands beside it; those of two take storage.
cat >plan.yaml <<'Y'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: plan}
spec:
  candidates: {allow: [dgx-h200]}
  workloads:
    - {name: tune, type: lora, model: llama-3.1-70b, data: {tokens: 60M tokens}}
    - {name: embed, type: inference, model: qwen3-embedding-8b, traffic: {requestsPerSecond: 200, inputTokens: 200, outputTokens: 0}, goal: {slo: {ttft: 60 ms}}}
Y
for concurrent in 1 16; do
    "$GPUPLAN" size plan.yaml --set workloads.tune.jobs.concurrent=$concurrent --detail |
        grep -E '^(Site|  storage)'
done
