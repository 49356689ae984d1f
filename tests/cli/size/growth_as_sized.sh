# A service buys in each of a few later quarters what the plan of that quarter's demand takes: other
# layouts, too, with what simulation says of them there.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  candidates: [dgx-h200]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b
      traffic: {requestsPerSecond: 5, inputTokens: 2000, outputTokens: 300}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
PLAN
"$GPUPLAN" size plan.yaml --detail --set growth.start=2027-Q1 --set "growth.horizon=5 quarters" \
    --set "growth.scenarios.expected.chat=100%/yr" | sed -n "/Quarter .*GPUs/,/^$/p"
for rate in 5 5.946 7.071 8.409 10; do
    "$GPUPLAN" size plan.yaml --set workloads.chat.traffic.requestsPerSecond=$rate |
        sed -n "s/,.*//;/^Site/p;/^chat/p"
done
