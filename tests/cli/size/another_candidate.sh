# A candidate more costs no more, though the closed form asks for nearly twice the replicas of the
# kind that costs less.
cat >both.yaml <<'Y'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: both}
spec:
  defaults: {confidence: p90}
  site: {energy: {price: 0.10 USD/kWh}}
  candidates: {allow: [dgx-b200, l40s-8gpu], objective: minCost}
  workloads:
    - {name: read, type: inference, model: gpt-oss-120b, traffic: {requestsPerSecond: 0.8, inputTokens: {mean: 6000, p95: 21000}, outputTokens: 100}, goal: {slo: {ttft: 4184 ms}}}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quote}
spec:
  currency: USD
  source: made up
  items:
    - {item: system/dgx-b200, price: 500000 USD}
    - {item: system/l40s-8gpu, price: 110000 USD}
    - {item: switch/sn2201, price: 3000 USD}
    - {item: part/rack, price: 4000 USD}
Y
"$GPUPLAN" size both.yaml | sed -n '/^Site/p;/^All on/,/^ /p'
"$GPUPLAN" size both.yaml --set candidates.allow=l40s-8gpu | grep ^Site
