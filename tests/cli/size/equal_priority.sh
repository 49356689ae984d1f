# Of equal priorities the objective says who has the machine that is left, as the reference says.
"$GPUPLAN" schema | grep -o "of equal ones [^.]*"
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: equal}
spec:
  cluster: {pools: [{name: h, system: dgx-h100, count: 1}]}
  candidates: [dgx-h100]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: 10, inputTokens: 1000, outputTokens: 200}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
    - name: tr
      type: training
      model: llama-3.1-8b
      data: {tokens: 50B}
      goal: {completeWithin: 30d}
PLAN
for priority in 0 1; do
    "$GPUPLAN" size plan.yaml --set workloads.chat.priority=$priority | sed -n "/^chat/p;/^tr/p"
done
