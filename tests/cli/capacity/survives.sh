# What is to outlast the loss of a site finds no place at one alone, whatever stands there.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: two}
spec:
  sites:
    - name: north
      site: {power: {itCapacity: 60 kW, annual: 1.2, design: 1.3}}
    - name: south
      site: {power: {itCapacity: 60 kW, annual: 1.2, design: 1.3}}
  links: [{between: [north, south], bandwidth: 10 Gb/s, roundTrip: 25 ms}]
  candidates: {allow: [dgx-h200]}
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: {mean: 20, peak: 50}, inputTokens: 1500, outputTokens: 350}
      goal: {slo: {ttft: 2 s, tpot: 45 ms}}
      placement: {survives: site}
PLAN
"$GPUPLAN" capacity plan.yaml --site south | sed -n '/^machines  workload/,$p'
