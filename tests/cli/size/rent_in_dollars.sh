# The catalogue has rents in dollars: in a plan of another currency they are not known until a list
# says so.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: euros}
spec:
  candidates: {allow: ["cloud:aws/p5.48xlarge"]}
  costs: {currency: EUR, amortization: 48 mo}
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b
      traffic: {requestsPerSecond: {mean: 20, peak: 30}, inputTokens: 1000, outputTokens: 300}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
PLAN
cat >prices.yaml <<'PRICES'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: q}
spec:
  currency: EUR
  source: made up
  items: [{item: "cloud:aws/p5.48xlarge", price: 50 EUR/h}]
PRICES
"$GPUPLAN" size plan.yaml | grep "^Rent\|^Site"
"$GPUPLAN" size plan.yaml --objective minCost 2>&1 | head -1
"$GPUPLAN" size plan.yaml --prices prices.yaml | grep "^Rent\|^Site"
