# The growth table tells the machines that stand: what was bought stays, also where demand falls, and
# is bought in whole modules from the first on. The explanation gives the same number.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: stands}
spec:
  workloads:
  - name: chat
    type: inference
    model: llama-3.1-70b
    traffic:
      requestsPerSecond: {mean: 10}
      inputTokens: 1000
      outputTokens: 300
    goal:
      slo: {ttft: 2 s, tpot: 50 ms}
    disaggregated: false
  candidates:
    allow: [dgx-h100]
    objective: minCost
  site:
    energy: {price: 0.10 USD/kWh}
  growth:
    horizon: 4 quarters
PLAN
grow() {
    "$GPUPLAN" size plan.yaml --prices "$ROOT"/tests/samples/prices/fabric.yaml \
        --set 'workloads.chat.traffic.requestsPerSecond={mean: '"$1"'}' \
        --set 'growth.scenarios={expected: {chat: '"$2"'}}' \
        --set growth.module="$3" --detail | sed -n '/^  Quarter/,/^$/p'
}
grow 10 7%/mo 4
grow 16 7%/mo 4
grow 40 -7%/mo auto
"$GPUPLAN" explain plan.yaml --prices "$ROOT"/tests/samples/prices/fabric.yaml \
    --set 'growth={horizon: 4 quarters, module: 4, scenarios: {expected: {chat: 7%/mo}}}' \
    site growth.2027-Q3 | sed -n '/^machinesInQuarter/,/^facilityPower/p'
