# Fabric of the horizon is built for machines that will stand here, not for those that are rented
# since the site has no room for them: it takes none of the power that decides on that. The limits
# tell when each would be exceeded if all were bought.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: room}
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
    allow: [dgx-h100, 'cloud:aws/p5.48xlarge']
    objective: minCost
  site:
    power: {itCapacity: 110 kW}
    racks: {count: 5}
    energy: {price: 0.10 USD/kWh}
  growth:
    horizon: 4 quarters
    scenarios:
      expected: {chat: 7%/mo}
PLAN
grow() {
    "$GPUPLAN" size plan.yaml --prices "$ROOT"/tests/samples/prices/fabric.yaml --detail \
        --set site.power.itCapacity="$1" --set 'growth.scenarios.expected={chat: '"$2"'}' |
        sed -n '/^  fabric/p;/^Growth/,/^Bill/{/^Bill/d;p}'
}
for capacity in 100kW 110kW 125kW 1MW; do
    grow $capacity 7%/mo
done
grow 110kW 4%/mo
