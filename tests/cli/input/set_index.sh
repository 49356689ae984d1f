# An index beyond a list is told with how far it goes; a unit cut short is taken for the one that
# begins so.
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: one}
spec:
  cluster: {pools: [{name: h200, system: dgx-h200, count: 4}]}
  workloads:
    - name: chat
      type: inference
      model: meta-llama/Llama-3.3-70B
      traffic: {requestsPerSecond: 8, inputTokens: 2000, outputTokens: 300}
END
for set in 'cluster.pools[1].count=4' 'cluster.storage[0].name=x' \
    workloads.chat.traffic.requestsPerSecond=8/m; do
    "$GPUPLAN" validate plan.yaml --set "$set" 2>&1 | grep -e error: -e nearest
done
