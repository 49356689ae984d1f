# A plan without machines has nothing to judge.
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: empty}
spec:
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: 1, inputTokens: 2000, outputTokens: 400}
END
"$GPUPLAN" check plan.yaml | head -12
