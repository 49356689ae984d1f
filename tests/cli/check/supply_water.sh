# Facility water has to suit its class, and to be cooler than what coolant may return at.
cat > plan.yaml <<'Y'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: hall}
spec:
  site:
    cooling: {liquid: {class: W45, supply: 48 degC}}
  cluster:
    pools: [{name: rack, system: gb200-nvl72, count: 1}]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: 8, inputTokens: 2000, outputTokens: 400}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
Y
told() {
    "$GPUPLAN" check plan.yaml "$@" 2>/dev/null | grep -A2 GP5007 || echo "within"
}
told
echo "== 45 degC"
told --set 'site.cooling.liquid.supply=45 degC'
echo "== the class alone"
told --set site.cooling.liquid.supply=null
for class in '' 'class: W+, '; do
    echo "== 48 degC, then 70 degC ($class)"
    told --set site.cooling.liquid="{${class}supply: 48 degC}"
    told --set site.cooling.liquid="{${class}supply: 70 degC}"
done
