# Services shared out over machines in place and bought: no objective's plan has less of another's
# figure than that one's own plan. minMachines took 4 machines where minGpus found a plan with 3.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: shared}
spec:
  site: {power: {itCapacity: 30 kW, annual: 1.2, design: 1.3}, racks: {count: 12, maxPower: 40 kW}}
  cluster: {pools: [{name: p0, system: dgx-a100, count: 3}]}
  candidates: {allow: [dgx-h100]}
  workloads:
    - name: small0
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: 10, inputTokens: 800, outputTokens: 200, profile: office}
      goal: {slo: {ttft: 1 s, tpot: 40 ms}}
    - name: chat1
      type: inference
      model: qwen3-32b
      traffic: {requestsPerSecond: 3, inputTokens: 2000, outputTokens: 150}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
    - name: small2
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: 40, inputTokens: 800, outputTokens: 200, profile: diurnal}
      goal: {slo: {ttft: 1 s, tpot: 40 ms}}
    - name: small3
      type: inference
      model: qwen3-0.6b
      traffic: {requestsPerSecond: 10, inputTokens: 800, outputTokens: 200}
      goal: {slo: {ttft: 1 s, tpot: 40 ms}}
PLAN
for objective in minMachines minGpus minPower; do
    "$GPUPLAN" size plan.yaml --simulate off --objective $objective -f json |
        awk -v of=$objective -F: '/^    "(gpus|nodes|itMeanPowerW)"/ && !seen[$1]++ {
            gsub(/[ ",]/, ""); text = text " " $0 } END { print of text }'
done
