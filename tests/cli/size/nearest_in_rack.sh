# Of layouts that no rack takes the nearest is the one on fewest machines: 9 were told where a rack of
# 2 kW more holds one that is enough.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: liquid}
spec:
  site:
    power: {itCapacity: 400 kW, circuits: {phases: 3, voltage: 415 V, current: 63 A}, feeds: 2, redundancy: 2N}
    cooling:
      air: {class: A2, supply: 24 degC, capacity: 80 kW}
      liquid: {class: W45, supply: 48 degC, capacity: 150 kW}
    racks: {count: 3, height: 48 U, maxPower: 140 kW, maxWeight: 1200 kg}
  candidates: [gb200-nvl72, gb300-nvl72]
  workloads:
    - name: chat
      type: inference
      model: deepseek-ai/DeepSeek-V3
      traffic: {requestsPerSecond: {mean: 60, peak: 150}, inputTokens: 2000, outputTokens: 800}
      goal: {slo: {ttft: 2 s, tpot: 40 ms}}
PLAN
"$GPUPLAN" size plan.yaml | grep nearest
"$GPUPLAN" size plan.yaml --set 'site.racks.maxPower=142 kW' | head -1
