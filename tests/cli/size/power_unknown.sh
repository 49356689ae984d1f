# A machine that nobody knows the power of: no sum says 0, it is not bought beside one that is
# known, and the key that the finding names mends it.
cat > plan.yaml <<'Y'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: p}
spec:
  site: {power: {itCapacity: 300 kW}}
  cluster: {pools: [{name: own, system: helios, count: 1}]}
  candidates: [helios]
  workloads:
    - name: run
      type: training
      model: llama-3.1-70b
      data: {tokens: 300B tokens, sequenceLength: 8192, globalBatch: 4M tokens}
      goal: {completeWithin: 30d}
Y
"$GPUPLAN" size plan.yaml --detail 2>/dev/null | grep -E '^Site|^  power|^  heat|GP5012|maxPower'
"$GPUPLAN" size plan.yaml --set 'cluster.pools[0].overrides.maxPower=140kW' 2>/dev/null | grep -E '^Site'
"$GPUPLAN" size plan.yaml --set cluster.pools=[] --set candidates.allow=[dgx-b200,helios] 2>/dev/null | grep -E '^(run|Site|All)'
"$GPUPLAN" capacity plan.yaml --set cluster.pools=[] 2>/dev/null | grep '^helios'
