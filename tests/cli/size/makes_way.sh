# A small job makes way for a service that would buy machines: the service is shared out over what
# stands there, whatever is to be least.
cat >prices.yaml <<'END'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quote}
spec:
  currency: USD
  items: [{item: system/rtx-pro-6000-8gpu, price: 110000 USD}, {item: system/dgx-h200, price: 300000 USD}]
END
for objective in minCost minPower; do
    cat >plan.yaml <<END
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: way}
spec:
  site: {energy: {price: 0.12 USD/kWh}}
  cluster: {pools: [{name: pool0, system: dgx-h200, count: 2}]}
  candidates: {allow: [rtx-pro-6000-8gpu], objective: $objective}
  workloads:
    - name: s0
      type: inference
      model: mixtral-8x7b
      traffic: {requestsPerSecond: 8, inputTokens: {mean: 2500, p95: 9000}, outputTokens: 200, profile: office}
      goal: {slo: {ttft: 2 s, tpot: 80 ms}}
    - name: l2
      type: lora
      model: qwen3-32b
      adapter: {method: qlora, rank: 16}
      data: {tokens: 20M tokens, sequenceLength: 2048, globalBatch: 64k}
      jobs: {perWeek: 5, concurrent: 2}
      goal: {maxDuration: 12h}
END
    "$GPUPLAN" size plan.yaml --prices prices.yaml | sed -n '/^WORKLOAD/,/^Site/p'
done
