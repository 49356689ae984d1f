# What may share machines is chosen one after the other, each where it is best by itself. A further
# candidate made the plan dearer so: a batch took a machine of its own, of the cheaper kind.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: kinds}
spec:
  candidates: {allow: [dgx-b200], objective: minCost}
  workloads:
    - name: chat
      type: inference
      model: qwen3-32b
      traffic:
        {requestsPerSecond: {mean: 30}, inputTokens: 500, outputTokens: 150, profile: office}
      goal: {slo: {ttft: 2 s, tpot: 60 ms}}
    - name: batch
      type: inference
      model: llama-3.1-8b
      precision: {weights: nvfp4}
      traffic: {requests: 2M, inputTokens: 1500, outputTokens: 200}
      goal: {every: 1d, maxDuration: 8h}
      placement: {timeSharing: true}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quote}
spec:
  currency: USD
  items:
    - {item: system/dgx-h100, price: 250000 USD}
    - {item: system/dgx-b200, price: 460000 USD}
    - {item: switch/qm9700, price: 28000 USD}
PLAN
for kinds in '[dgx-b200]' '[dgx-b200, dgx-h100]'; do
    "$GPUPLAN" size plan.yaml --set "candidates.allow=$kinds" |
        grep -E '^(chat|batch|Buy|Site|All)'
done
