# Pools that simulation found to be enough stay enough where they are declared, although the closed
# form counts more.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: again}
spec:
  candidates: [dgx-b200]
  workloads:
    - {name: chat, type: inference, model: llama-3.1-70b, disaggregated: true, traffic: {requestsPerSecond: 34.1, inputTokens: 1500, outputTokens: 800}, goal: {slo: {ttft: 2 s, tpot: 80 ms}}}
PLAN
"$GPUPLAN" export spec plan.yaml >built.yaml
for plan in plan built; do
    "$GPUPLAN" size "$plan.yaml" | sed -n '/^chat/p;/^Buy/,/^Site/p'
done
