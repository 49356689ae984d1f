# A group that only --set opens is refused where it was set.
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: p}
spec:
  candidates: [dgx-h100]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: 5, inputTokens: 1000, outputTokens: 200}
END
for set in data.tokens=1B prefill.replicas=2; do
    "$GPUPLAN" validate plan.yaml --set "workloads.chat.$set" || test $? -eq 3
done
