# Supply air has to suit the class of the room and the machines themselves: DGX H100 takes at most
# 30 degC where class A2 allows 35.
cat > plan.yaml <<'Y'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: hall}
spec:
  site:
    cooling: {air: {class: A2, supply: 33 degC}}
  cluster:
    pools: [{name: h100, system: dgx-h100, count: 4}]
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
echo "== 29 degC"
told --set 'site.cooling.air.supply=29 degC'
echo "== at 2700 m"
told --set 'site.cooling.air.supply=30 degC' --set site.altitude=2700m
echo "== of no class"
told --set site.cooling.air='{supply: 33 degC}'
echo "== too cold"
told --set 'site.cooling.air.supply=8 degC'
