# A kind of machine that the closed form puts behind another by a little is no worse a candidate for
# it: what "All on" tells of each is what a plan of that kind alone comes to, as simulated, and the
# choice is no worse than the best of them.
cat >close.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: close}
spec:
  candidates: {allow: [dgx-h200, mi300x-8gpu], objective: minPower}
  workloads:
  - name: chat
    type: inference
    model: qwen3-30b-a3b
    traffic: {requestsPerSecond: 12.06, inputTokens: 4304, outputTokens: 477}
    goal: {slo: {ttft: 1704 ms, tpot: 87 ms}}
    precision: {kvCache: fp8}
PLAN
cat >apart.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: apart}
spec:
  candidates: {allow: [dgx-h200, dgx-b200], objective: minMachines}
  workloads:
  - name: chat
    type: inference
    model: llama-3.1-70b
    traffic: {requestsPerSecond: 10.7, profile: office, inputTokens: 2900, outputTokens: 663}
    goal: {slo: {ttft: 2246 ms, tpot: 33 ms}}
PLAN
for spec in close apart; do
    "$GPUPLAN" size $spec.yaml | sed -n "1p;/^All on/p"
    for kind in $(sed -n 's/.*allow: \[\(.*\)\].*/\1/p' $spec.yaml | tr -d ,); do
        "$GPUPLAN" size $spec.yaml --set "candidates.allow=[$kind]" | sed -n "1p;/^Site/p"
    done
done
