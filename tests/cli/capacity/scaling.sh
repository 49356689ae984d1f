# A service that may only scale up is on one machine: `capacity` once let it grow over any number,
# where `size` finds no place for it.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: up}
spec:
  candidates: [dgx-h200]
  workloads:
    - name: small
      type: inference
      model: qwen3-0.6b
      traffic: {requestsPerSecond: 0.82, inputTokens: 2409, outputTokens: 686}
      goal: {slo: {ttft: {p99: 500 ms}, tpot: 25 ms, availability: 99%}}
      scaling: {allow: [vertical]}
PLAN
"$GPUPLAN" capacity plan.yaml --power 1MW | tail -1
for rate in 36 38; do
    "$GPUPLAN" size plan.yaml --set workloads.small.traffic.requestsPerSecond=$rate | head -1
done
