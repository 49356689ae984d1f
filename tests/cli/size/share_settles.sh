# A service over two kinds of machines: few replicas of a share carry less each than many of the
# whole, and the choice went to and fro between the two, so that a limit above what the plan takes
# left none.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: shared}
spec:
  defaults: {confidence: expected}
  cluster: {reserve: {spareNodes: 1}, pools: [{name: p0, system: dgx-h200, count: 4}]}
  candidates: {allow: [dgx-b200, dgx-h200]}
  workloads:
    - name: s0
      type: inference
      model: gemma-3-27b
      traffic: {requestsPerSecond: 75.5, inputTokens: 1500, outputTokens: 200}
      goal: {slo: {ttft: 1 s}}
PLAN
cat >prices.yaml <<'PRICES'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: q}
spec:
  currency: USD
  source: made up
  items: [{item: system/dgx-h200, price: 300000 USD}, {item: system/dgx-b200, price: 500000 USD}]
PRICES
for limit in "" "--set site.power.itCapacity=52kW" "--budget"; do
    [ "$limit" != --budget ] || limit="--set costs.budget.capital=800401USD"
    # shellcheck disable=SC2086 # none or two words
    "$GPUPLAN" size plan.yaml --prices prices.yaml $limit | grep "^shared\|^s0\|^Buy"
done
