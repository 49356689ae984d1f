# A part of a GPU that simulation finds too small is no reason to leave out the whole one: more load
# takes no fewer GPUs.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: parts}
spec:
  defaults: {software: {tuning: tuned}}
  candidates: {allow: [dell-xe9680-mi300x, dgx-b200], objective: minGpus}
  workloads:
  - {name: inf0, type: inference, model: llama-3.1-8b, traffic: {requestsPerSecond: 20, inputTokens: 500, outputTokens: 50}, goal: {slo: {ttft: 1 s, tpot: 60 ms}}}
  - {name: inf2, type: inference, model: mistral-7b, traffic: {requestsPerSecond: {mean: 12, peak: 36}, inputTokens: 500, outputTokens: 50}, goal: {slo: {ttft: 2 s, tpot: 100 ms}}}
PLAN
for rate in 18 20 23; do
    "$GPUPLAN" size plan.yaml --set workloads.inf0.traffic.requestsPerSecond=$rate | grep '^Site'
done
