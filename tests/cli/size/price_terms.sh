# The price of spot machines is not that of machines that stay, whatever the order of the lines; and
# amounts of a spec in dollars are not added to a list in euros, though it states no currency key.
plan() {
    cat <<PLAN
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: terms}
spec:
  site:
    power: {itCapacity: 500 kW, annual: 1.3}
    energy: {price: 0.15 USD/kWh}
  candidates: {allow: ["cloud:aws/p5.48xlarge"], objective: minCost}
  costs: {amortization: 48 mo}
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b
      traffic: {requestsPerSecond: {mean: 20, peak: 30}, inputTokens: 1000, outputTokens: 300}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: q}
spec:
  currency: $1
  source: bid
  items:
    - {item: "cloud:aws/p5.48xlarge", price: 5 $1/h, term: $2}
    - {item: "cloud:aws/p5.48xlarge", price: 60 $1/h, term: $3}
PLAN
}
for list in 'USD spot on-demand' 'USD on-demand spot' 'USD spot spot' 'EUR on-demand on-demand'; do
    echo "-- $list"
    plan $list >plan.yaml
    "$GPUPLAN" size plan.yaml --detail 2>&1 | sed -n '1,4{/error/p;};/^Buy/p;/^Site/p;/a year .* USD/p'
done
