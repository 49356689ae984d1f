# What has several figures is explained by all of them, by its path or its name; one that is near
# is named.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: group}
spec:
  candidates: [dgx-h200]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: {mean: 20, peak: 50}, inputTokens: 1500, outputTokens: 350, profile: office}
      goal: {slo: {ttft: 2 s, tpot: 45 ms}}
PLAN
"$GPUPLAN" explain plan.yaml chat service.autoscaling | sed -n '/^Figures/,/^$/p'
"$GPUPLAN" explain plan.yaml chat autoscaling | grep -c 'service.autoscaling'
"$GPUPLAN" explain plan.yaml chat autoscale 2>&1 || test $? -eq 2
