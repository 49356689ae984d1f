# A rent of a machine, the amount of a rent, and a price of nothing are refused at the line that has
# them; the item was once said to be missing.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: priced}
spec:
  candidates: {allow: [dgx-h100], objective: minCost}
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: 5, inputTokens: 1500, outputTokens: 300}
      goal: {slo: {ttft: 1 s, tpot: 40 ms}}
PLAN
prices() {
    cat <<PRICES
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quote}
spec: {currency: USD, source: made up, items: [$1]}
PRICES
}
prices '{item: system/dgx-h100, price: 6000 USD/mo}, {item: cloud:aws/p5.48xlarge, price: 60k USD}' \
    >rents.yaml
prices '{item: system/dgx-h100, price: 0 USD}' >free.yaml
"$GPUPLAN" size plan.yaml --prices rents.yaml || "$GPUPLAN" size plan.yaml --prices free.yaml
