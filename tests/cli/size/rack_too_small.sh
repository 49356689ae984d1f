# A machine that no rack of the site takes is not bought, whatever its count: the limit of the rack
# is named, and the fix holds. What stands there all the same fails a check.
cat > plan.yaml <<'Y'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: hall}
spec:
  site:
    power: {itCapacity: 1 MW}
    cooling: {air: {capacity: 400 kW, perRack: 25 kW}, liquid: {class: W32, capacity: 900 kW}}
    racks: {count: 30, height: 48 U, maxPower: 40 kW, maxWeight: 1500 kg}
  candidates: [gb200-nvl72]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: 20, inputTokens: 2000, outputTokens: 400}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
Y
"$GPUPLAN" size plan.yaml 2>/dev/null | sed -n '1,/^Fix/p'
"$GPUPLAN" size plan.yaml --set 'site.racks.maxPower=132 kW' --set 'site.racks.maxWeight=1.6t' 2>/dev/null |
    sed -n 1p
for set in site.racks.maxWeight=100kg site.cooling.air.perRack=10kW site.racks.maxPower=14kW \
    site.racks.used=43U; do
    echo "== $set"
    "$GPUPLAN" size plan.yaml --set 'candidates.allow=[dgx-b200]' --set "$set" 2>/dev/null |
        sed -n '1p;/^Fix/p'
done
"$GPUPLAN" size plan.yaml --set 'candidates.allow=[dgx-b200]' --set site.racks.maxPower=14.3kW 2>/dev/null |
    sed -n 1p
echo "== beside a kind that a rack takes"
"$GPUPLAN" size plan.yaml --set 'candidates.allow=[gb200-nvl72,dgx-b200]' 2>/dev/null | sed -n '1,4p'
echo "== capacity"
"$GPUPLAN" capacity plan.yaml --set 'candidates.allow=[gb200-nvl72,dgx-b200]' 2>/dev/null |
    sed -n '/^machines/,$p'
echo "== check"
"$GPUPLAN" check plan.yaml --set 'cluster.pools=[{name: p, system: dgx-b200, count: 2}]' \
    --set site.racks.maxPower=12kW 2>/dev/null | grep -v '^[0-9]* note'
echo "== in place"
"$GPUPLAN" size plan.yaml --set 'cluster.pools=[{name: p, system: dgx-b200, count: 2}]' \
    --set site.racks.maxPower=12kW 2>/dev/null | sed -n '1p;/^Buy/p;/^Fix/p'
