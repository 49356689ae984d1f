# What is rented is not delivered: neither a tender nor a report tests its network and its rates on
# the buyer's site.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: rent}
spec:
  candidates: {allow: [dgx-h200, "cloud:aws/p5en.48xlarge"], objective: minCost}
  costs: {currency: USD, amortization: 48 mo}
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b-fp8
      traffic: {requestsPerSecond: {mean: 8}, inputTokens: 1500, outputTokens: 400}
      goal: {slo: {ttft: 2 s, tpot: 45 ms}}
    - name: tune
      type: finetune
      model: llama-3.1-70b
      data: {tokens: 1B tokens, sequenceLength: 8192, globalBatch: 1M}
      goal: {every: 7d, maxDuration: 2d}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: offers}
spec:
  currency: USD
  items:
    - {item: system/dgx-h200, price: 310000 USD}
    - {item: "cloud:aws/p5en.48xlarge", price: 42 USD/h}
PLAN
"$GPUPLAN" size plan.yaml -o report.json | grep -E '^(Buy|Rent)'
"$GPUPLAN" export rfp report.json --neutral | grep -E '^\| (A-|chat|tune)'
"$GPUPLAN" render report.json -f html |
    sed -n '/id="tests"/,/<\/section>/s/<tr><th scope="row">\([a-z]*\).*/tested: \1/p' | uniq
