# Machines that growth buys for a quarter at several sites, or in several pools, are one row of a
# tender, and all of them.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: two}
spec:
  sites:
    - name: north
      site: {power: {itCapacity: 300 kW, annual: 1.2}}
      cluster: {pools: [{name: n, system: dgx-h200, count: 4}]}
    - name: south
      site: {power: {itCapacity: 300 kW, annual: 1.2}}
  links: [{between: [north, south], bandwidth: 10 Gb/s, roundTrip: 25 ms}]
  candidates: [dgx-h200]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b-fp8
      traffic: {requestsPerSecond: {mean: 30, peak: 50}, inputTokens: 1500, outputTokens: 350}
      goal: {slo: {ttft: 2 s, tpot: 45 ms}}
      placement: {survives: site, home: south}
  growth: {start: 2027-Q1, horizon: 6 quarters, scenarios: {expected: {chat: 60%/yr}}}
PLAN
"$GPUPLAN" size plan.yaml -o report.json >/dev/null
"$GPUPLAN" render report.json -f markdown | grep '^| 202.-Q'
"$GPUPLAN" export rfp report.json | grep -o 'further machines.*'
