# Spines for a growth that the site has no room for are not built with the first machines: they took
# a plan that holds past the limit, and it did not hold any more.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: full-soon}
spec:
  site: {power: {itCapacity: 60 kW}}
  candidates: [dgx-h100]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b-fp8
      traffic: {requestsPerSecond: {mean: 51, peak: 102}, inputTokens: 1500, outputTokens: 300}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
  growth:
    start: 2027-Q1
    horizon: 8 quarters
    scenarios: {expected: {chat: 8%/mo}}
PLAN
"$GPUPLAN" size plan.yaml | grep "^full-soon\|^chat\|^Buy\|^Site\|exceeded"
"$GPUPLAN" size plan.yaml --set site.power.itCapacity='75 kW' | grep "^full-soon\|^chat\|^Buy\|^Site"
