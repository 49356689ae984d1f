# A fabric that grows by a few machines has the leaves that these take in the end, not those of whole
# units, which are more than twice as many.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: grows a little}
spec:
  candidates: {allow: [dgx-h100], objective: minCost}
  workloads:
  - {name: inf0, type: inference, model: qwen3-32b, traffic: {requestsPerSecond: 30, inputTokens: 4000, outputTokens: 50}, goal: {slo: {ttft: 2 s, tpot: 40 ms}}}
  growth: {start: 2027-Q1, horizon: 4 quarters, scenarios: {expected: {inf0: 0.5%/mo}}}
  site: {energy: {price: 0.1 USD/kWh}}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: pr}
spec:
  currency: USD
  items:
  - {item: system/dgx-h100, price: 250000 USD}
  - {item: switch/qm9700, price: 30000 USD}
  - {item: switch/sn2201, price: 3000 USD}
  - {item: part/cable, price: 200 USD}
  - {item: part/transceiver, price: 900 USD}
  - {item: part/rack, price: 4000 USD}
PLAN
for growth in 0.5%/mo 5%/mo 20%/mo; do
    "$GPUPLAN" size plan.yaml --set growth.scenarios.expected.inf0=$growth | grep "^Buy"
done
