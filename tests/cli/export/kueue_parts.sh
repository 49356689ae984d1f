# A queue covers what pods ask for: slices and shared GPUs by number, whole GPUs without those that
# are cut; with teams each has its own.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: parts}
spec:
  cluster: {pools: [{name: own, system: l40s-8gpu, count: 1}]}
  candidates: [l40s-8gpu]
  workloads:
    - name: rerank
      type: inference
      model: bge-reranker-v2-m3
      traffic: {requestsPerSecond: {mean: 1500, peak: 3000}, inputTokens: 350}
      goal: {slo: {ttft: {p95: 300 ms}}}
    - name: embed
      type: inference
      model: qwen3-embedding-0.6b
      traffic: {requestsPerSecond: {mean: 80, peak: 200}, inputTokens: 60, outputTokens: 0}
      goal: {slo: {ttft: {p95: 80 ms}}}
    - name: small
      type: inference
      model: qwen3-0.6b
      traffic: {requestsPerSecond: 1, inputTokens: 500, outputTokens: 60}
      goal: {slo: {ttft: 500 ms, tpot: 30 ms}}
PLAN
sed -e 's/^  workloads:/  teams: [{name: a, quota: 7}, {name: b, quota: 1}]\n&/' \
    -e '/name: rerank/s/$/\n      team: a/' -e '/name: [es]/s/$/\n      team: b/' \
    plan.yaml >teams.yaml
for spec in plan.yaml teams.yaml "$ROOT/examples/small-services.yaml"; do
    "$GPUPLAN" export k8s "$spec" | grep -o 'nvidia.com/[mg][^ ]*: "1"' | sort | uniq -c
    "$GPUPLAN" export kueue "$spec" | grep -e '^kind: [RC]' -e '^  name:' -e nominal -e covered |
        sed '/^kind: L/,$d'
done
