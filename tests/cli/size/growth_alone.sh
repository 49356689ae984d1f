# What stands under "All on" has the fabric of its own horizon, as the choice does: the row of the
# kind that is chosen says what the plan says, and what the plan with that kind alone says.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: alone}
spec:
  workloads:
  - name: chat
    type: inference
    model: llama-3.1-70b
    traffic:
      requestsPerSecond: {mean: 40}
      inputTokens: 1000
      outputTokens: 300
    goal:
      slo: {ttft: 2 s, tpot: 50 ms}
    disaggregated: true
  candidates:
    allow: [dgx-h100, dgx-h200]
    objective: minCost
  site:
    energy: {price: 0.10 USD/kWh}
  growth:
    horizon: 4 quarters
    scenarios:
      expected: {chat: 7%/mo}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: list}
spec:
  currency: USD
  source: x
  items:
  - {item: system/dgx-h100, price: 250000 USD}
  - {item: system/dgx-h200, price: 290000 USD}
  - {item: switch/qm9700, price: 28000 USD}
PLAN
for allow in '[dgx-h100, dgx-h200]' '[dgx-h100]' '[dgx-h200]'; do
    "$GPUPLAN" size plan.yaml --set candidates.allow="$allow" |
        sed -n '/^Buy/p;/^Site/p;/^All on/,/^Checks/{/^Checks/d;p}'
done
