# A horizon over which no more machines are needed changes nothing: neither fabric nor layout, power
# nor cost, on an empty site and on machines that are there.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: flat}
spec:
  workloads:
  - name: chat
    type: inference
    model: llama-3.1-70b
    traffic:
      requestsPerSecond: {mean: 40}
      inputTokens: 1000
      outputTokens: 300
    goal:
      slo: {ttft: 2 s, tpot: 50 ms}
    disaggregated: true
  candidates:
    allow: [dgx-h100]
    objective: minCost
  site:
    power: {itCapacity: 1 MW}
    energy: {price: 0.10 USD/kWh}
PLAN
sized() {
    "$GPUPLAN" size plan.yaml --prices "$ROOT"/tests/samples/prices/fabric.yaml --detail "$@" |
        sed -n '/^  verdict/p;/^  layout/,/^  need/p;/^  power/p;/^  fabric/,/^  failures/p;/^Buy/p;/^Site/p'
}
for pools in '[]' '[{name: p, system: dgx-h100, count: 12}]'; do
    sized --set cluster.pools="$pools" >without.txt
    cat without.txt
    for rate in 0%/mo -3%/mo; do
        sized --set cluster.pools="$pools" \
            --set 'growth={horizon: 4 quarters, scenarios: {expected: {chat: '"$rate"'}}}' |
            cmp - without.txt && echo "the same with $rate"
    done
done
