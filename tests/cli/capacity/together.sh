# What simulation shows of today's load, which is too much, counts for what holds: the two together
# held 0.406 of it, for a limit of which a sixth is used, where `check` holds with half.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: cap}
spec:
  site: {power: {itCapacity: 100 kW}}
  cluster: {pools: [{name: own, system: dgx-h100, count: 2}]}
  candidates: [dgx-h100]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b
      traffic: {requestsPerSecond: 5, inputTokens: 2000, outputTokens: 400}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
    - name: pics
      type: inference
      model: flux.1-dev
      traffic: {requestsPerSecond: 0.1, generate: {width: 1024, height: 1024, steps: 28}}
      goal: {slo: {e2e: 30 s}}
PLAN
"$GPUPLAN" capacity plan.yaml | grep -A3 '^machines  workload'
for share in 0.49 0.52; do
    chat=$(awk "BEGIN { print 5 * $share }")
    pics=$(awk "BEGIN { print 0.1 * $share }")
    "$GPUPLAN" check plan.yaml --set "workloads.chat.traffic.requestsPerSecond=$chat" \
        --set "workloads.pics.traffic.requestsPerSecond=$pics" | head -1
done
