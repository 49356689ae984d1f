# What the fabrics of each kind of machine take for the horizon is found one kind after the other,
# and counts for all of them: the plan draws no more than the same on one kind alone.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: grows}
spec:
  workloads:
    - name: w2
      type: inference
      model: llama-3.1-70b-fp8
      traffic: {requestsPerSecond: {mean: 4.4}, inputTokens: 3208, outputTokens: 398, profile: office}
      goal: {slo: {ttft: 3160 ms, tpot: 34 ms}}
  growth: {scenarios: {expected: {w2: 16%/quarter}}}
PLAN
"$GPUPLAN" size plan.yaml --simulate off | grep -A3 "^Buy\|^All on"
