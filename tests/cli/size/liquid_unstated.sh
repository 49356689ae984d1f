# A rack that gives most of its heat to coolant, in a hall of which only the air is stated: whether
# the heat can be taken up is unknown, and the key to add is named. Stated, it is judged.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: liquid}
spec:
  site: {power: {itCapacity: 200 kW}, cooling: {air: {capacity: 60 kW}}, racks: {count: 4}}
  cluster: {pools: [{name: own, system: gb200-nvl72, count: 1}]}
  workloads:
    - {name: chat, type: inference, model: llama-3.1-8b, traffic: {requestsPerSecond: 6, inputTokens: 1000, outputTokens: 300}, goal: {slo: {ttft: 2 s}}}
PLAN
"$GPUPLAN" size plan.yaml | sed -n '/^Checks/,/^$/p'
"$GPUPLAN" check plan.yaml --detail all | sed -n '/GP5005/,/fix/p'
"$GPUPLAN" size plan.yaml --detail | sed -n '/^  coolant/,/^  failures/p' | sed '$d'
for capacity in "100 kW" "10 kW"; do
    echo "# site.cooling.liquid.capacity $capacity"
    "$GPUPLAN" check plan.yaml --set "site.cooling.liquid.capacity=$capacity" |
        sed -n '1p; /GP5002/,/fix/p' || :
done
echo "# the same with liquid cooling alone: what goes to the air is not judged"
sed 's/air: {capacity: 60 kW}/liquid: {capacity: 150 kW}/' plan.yaml > alone.yaml
"$GPUPLAN" size alone.yaml | sed -n '/^Checks/,/^$/p'
