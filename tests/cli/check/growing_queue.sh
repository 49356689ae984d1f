# Declared machines whose queue grows do not hold, also where no goal that is stated shows it: a
# goal per token alone was met, with prompts that waited half a minute and longer.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: queue}
spec:
  cluster: {pools: [{name: own, system: dgx-b200, count: 4}]}
  workloads:
    - name: chat
      type: inference
      model: llama-3.3-70b
      traffic: {requestsPerSecond: {mean: 30, peak: 72}, inputTokens: 2000, outputTokens: 400}
      goal: {slo: {tpot: 50 ms}}
PLAN
"$GPUPLAN" check plan.yaml | sed -n '1p;/GP2002/,/fix/p'
"$GPUPLAN" check plan.yaml --set cluster.pools.own.count=5 | head -1
