# Of sites that survive the loss of one any may be down: that raises the availability of a service,
# and a tighter goal is never met where a looser one is not.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  candidates: {allow: [dgx-h200]}
  sites: [{name: a}, {name: b}]
  workloads:
    - name: chat
      type: inference
      model: qwen3-0.6b
      traffic: {requestsPerSecond: 2, inputTokens: 3000, outputTokens: 300}
      goal: {slo: {ttft: 1 s, availability: 99%}}
      placement: {survives: site}
PLAN
for goal in 95% 99% 99.9% 99.99% 99.9999%; do
    echo "## $goal"
    "$GPUPLAN" size plan.yaml --simulate off --set workloads.chat.goal.slo.availability=$goal | sed -n 1p
done
