# The same of a service, with a group of GPUs that its engine cannot run; and in Markdown.
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: p}
spec:
  candidates: {allow: [dgx-h100]}
  workloads:
    - name: chat
      type: inference
      model: qwen3-30b-a3b
      traffic: {requestsPerSecond: 20, inputTokens: {mean: 1000}, outputTokens: {mean: 300}}
      goal: {slo: {ttft: {p95: 2s}, tpot: {p95: 50ms}}}
      software: {engine: tensorrt-llm}
END
"$GPUPLAN" explain plan.yaml chat layouts
"$GPUPLAN" explain plan.yaml chat layouts --format markdown
