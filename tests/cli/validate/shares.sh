# What cannot be meant by shares of a service is refused where it stands.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: fleet}
spec:
  cluster:
    pools:
      - {name: old, system: dgx-h100, count: 2}
      - {name: older, system: dgx-h100, count: 2}
      - {name: new, system: dgx-h200, count: 2}
  workloads:
    - name: chat
      type: inference
      model: llama-3.3-70b
      traffic: {requestsPerSecond: 4, inputTokens: 1500, outputTokens: 300}
      placement: {pool: new, shares: [{pool: old, fraction: 60%}, {pool: older, fraction: 30%}]}
    - name: coder
      type: inference
      model: llama-3.3-70b
      traffic: {requestsPerSecond: 4, inputTokens: 1500, outputTokens: 300}
      placement: {shares: [{pool: nev, fraction: 1}]}
    - name: tuned
      type: finetune
      model: llama-3.1-8b
      data: {tokens: 100M}
      placement: {shares: [{pool: old, fraction: 50%}, {pool: new, fraction: 50%}]}
PLAN
"$GPUPLAN" validate plan.yaml 2>&1 || echo "exit $?"
