# Sums over a year leave out a workload that fails, and its own figures are those of a layout that
# it does not get: neither keeps a rule. What it states and what stands anyway is judged.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: svc}
spec:
  site:
    power: {itCapacity: 120 kW, annual: 1.3, design: 1.4}
    energy: {price: 0.2 USD/kWh, carbon: 0.2 kgCO2e/kWh}
  cluster: {pools: [{name: own, system: dgx-h100, count: 1}]}
  candidates: [dgx-h100]
  workloads:
    - name: small
      type: inference
      model: qwen3-0.6b
      traffic: {requestsPerSecond: 1, inputTokens: 500, outputTokens: 60}
      goal: {slo: {ttft: 500 ms, tpot: 30 ms}}
    - name: big
      type: inference
      model: llama-3.1-70b-fp8
      traffic: {requestsPerSecond: 20, inputTokens: 2000, outputTokens: 300}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
PLAN
cat >rules.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Policy
metadata: {name: rules}
spec:
  rules:
    - {id: T-1, assert: "site.power.carbonKgPerYear <= 20 t"}
    - {id: T-2, assert: "site.power.energyJPerYear <= 100 MWh"}
    - {id: T-3, assert: "site.power.facilityMeanW <= 90 kW"}
    - {id: T-4, assert: "summary.itMeanPowerW <= 90 kW"}
    - {id: T-5, assert: "site.cooling.waterLPerYear <= 10000000"}
    - {id: T-6, select: {workload.type: inference}, assert: "memory.headroomFraction >= 5%"}
    - {id: K-1, assert: "site.power.itW <= 90 kW"}
    - {id: K-2, assert: "parameters <= 100000000000"}
  waivers:
    - {rule: GP2002, until: 2099-01-01, reason: planned}
PLAN
"$GPUPLAN" check plan.yaml --policy rules.yaml -o out.tap >out.txt || echo "exit $?"
sed -n '1p; /GP7012/,/^  at/p' out.txt
grep -e 'T-6' -e 'K-[12]' out.tap
