# A plan of which few machines need a fabric is written down with those on it: told of its switches
# alone, all machines would be taken to be connected, and have switches that nobody planned.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: some}
spec:
  candidates: {allow: [dgx-a100]}
  workloads:
  - name: chat
    type: inference
    model: llama-3.1-70b-fp8
    traffic: {requestsPerSecond: 2.8, inputTokens: 3319, outputTokens: 313}
    goal: {slo: {e2e: 60 s}}
  - name: train
    type: training
    model: llama-3.1-8b
    data: {tokens: 32B tokens}
    goal: {completeWithin: 12 d}
  growth: {scenarios: {expected: {chat: 0%/quarter}}}
PLAN
cat >prices.yaml <<'PRICES'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quote}
spec:
  currency: USD
  source: quote
  items:
  - {item: system/dgx-a100, price: 120k USD}
  - {item: part/cable, price: 200 USD}
  - {item: part/transceiver, price: 900 USD}
  - {item: part/managementCable, price: 10 USD}
  - {item: part/rack, price: 4000 USD}
  - {item: part/powerStrip, price: 2500 USD}
  - {item: part/systemNode, price: 25000 USD}
  - {item: switch/sn2201, price: 3000 USD}
PRICES
"$GPUPLAN" export spec plan.yaml --prices prices.yaml >stands.yaml
sed -n "/pools:/,+1p" stands.yaml
for spec in plan stands; do
    "$GPUPLAN" size $spec.yaml --prices prices.yaml | sed -n "1p;/^Site/p"
done
