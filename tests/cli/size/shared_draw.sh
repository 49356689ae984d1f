# Services that share a machine: each line says that its draw is that with the others' GPUs idle,
# and why no machine of its own; what each draws of the machine adds up to what the site does.
cat >prices.yaml <<'PRICES'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: ours}
spec:
  currency: USD
  items:
    - {item: system/dgx-b200, price: 480000 USD}
    - {item: system/l40s-8gpu, price: 110000 USD}
PRICES
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: shared}
spec:
  site: {energy: {price: 0.12 USD/kWh}}
  costs: {currency: USD, prices: ["file:prices.yaml"]}
  candidates: [dgx-b200, l40s-8gpu]
  workloads:
    - {name: big, type: inference, model: llama-3.1-70b, traffic: {requestsPerSecond: 3, inputTokens: 2000, outputTokens: 400}, goal: {slo: {ttft: 2 s, tpot: 20 ms}}}
    - {name: embed, type: inference, model: qwen3-embedding-0.6b, traffic: {requestsPerSecond: 50, inputTokens: 40, outputTokens: 0}, goal: {slo: {ttft: 60 ms}}}
    - {name: rerank, type: inference, model: bge-reranker-v2-m3, traffic: {requestsPerSecond: {mean: 300, peak: 600}, inputTokens: 350}, goal: {slo: {ttft: 300 ms}}}
PLAN
"$GPUPLAN" size plan.yaml --detail |
    sed -n '/^[a-z]*: inference/p; /^  verdict/,/^  need/p; /^  power/,/^  a year/p' |
    grep -v -e '^  need' -e '^  a year'
"$GPUPLAN" explain plan.yaml site | sed -n '/^itMeanPower/,/^  from/p' | sed '$d'
