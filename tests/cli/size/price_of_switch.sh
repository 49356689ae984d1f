# A candidate whose switches have no price is not the cheaper one by that: minCost names what lacks,
# auto compares power instead. Where no switch has a price, none counts.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: part-priced}
spec:
  candidates: [dgx-h100, dgx-a100]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b
      traffic: {requestsPerSecond: 4, inputTokens: 1000, outputTokens: 300}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quote}
spec:
  currency: USD
  source: made up
  items:
    - {item: system/dgx-h100, price: 250000 USD}
    - {item: system/dgx-a100, price: 120000 USD}
    - {item: switch/qm9700, price: 28000 USD}
PLAN
grep -v switch/ plan.yaml >no-switch.yaml
for spec in plan.yaml no-switch.yaml; do
    "$GPUPLAN" size $spec --simulate off -f json | grep -m1 '"objective":'
    "$GPUPLAN" size $spec --simulate off --objective minCost -f json | grep -m1 '"objective":' || echo refused
done
