# Machines that nothing runs on draw nothing, unless they are said to stay on.
plan() {
    cat <<YAML
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: idle}
spec:
  cluster: {pools: [{name: old, system: dgx-a100, count: 4}]$1}
  candidates: {allow: [dgx-a100]}
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: 2, inputTokens: 500, outputTokens: 200}
      goal: {slo: {ttft: 2 s, tpot: 80 ms}}
YAML
}
for idle in '' ', idle: poweredDown' ', idle: poweredOn'; do
    plan "$idle" | "$GPUPLAN" size -f json - | grep '"itMeanPowerW"' | head -1
done
# Spares that are bought stay on, too.
plan ', reserve: {spareNodes: 1}, idle: poweredOn' | sed 's/pools: \[[^]]*\], //' | "$GPUPLAN" size -f json - |
    grep '"itMeanPowerW"' | head -1
plan ', idle: off' | "$GPUPLAN" validate -
