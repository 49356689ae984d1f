# A job of requests with a deadline, and the same in half the time.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  candidates: [dgx-h100]
  workloads:
    - name: digest
      type: inference
      model: llama-3.1-8b
      traffic: {requests: 5M, inputTokens: 1500, outputTokens: 150}
      goal: {completeWithin: 24h}
PLAN
for within in 24h 12h; do
    "$GPUPLAN" size plan.yaml --set workloads.digest.goal.completeWithin=$within --detail |
        sed -n '/^  verdict/,/^  goal/p'
done
