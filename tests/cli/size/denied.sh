# What is denied is not used: a pool stands and draws power, another of its kind is used as before;
# a kind is not bought either. A workload that names such a pool is refused.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: deny}
spec:
  cluster:
    pools: [{name: old, system: dgx-h100, count: 1}, {name: new, system: dgx-h200, count: 1}]
  candidates: {allow: [dgx-h200, dgx-h100]}
  workloads:
    - name: chat
      type: inference
      model: Qwen/Qwen3-32B
      traffic: {requestsPerSecond: {mean: 1, peak: 3}, inputTokens: 3000, outputTokens: 500}
      goal: {slo: {ttft: 1.5 s, tpot: 45 ms}}
PLAN
plan() { "$GPUPLAN" size plan.yaml --set "$@" | sed -n '1p;/^chat/p;/^Buy/p;/^Site/p;/^All on/p'; }
for names in new 'old, new'; do
    echo "## $names"
    plan "candidates.deny=[$names]"
done
echo "## a kind"
plan "candidates={deny: [dgx-h100, dgx-h200], allow: [dgx-b200]}"
echo "## one of two pools of a kind"
plan "candidates.deny=[old]" \
    --set 'cluster.pools=[{name: old, system: dgx-h100, count: 3}, {name: new, system: dgx-h100, count: 1}]'
echo "## nothing else"
plan "candidates={deny: [old, dgx-h200], allow: [new]}" || echo "exit $?"
echo "## asked for"
"$GPUPLAN" size plan.yaml --set 'candidates.deny=[old]' \
    --set workloads.chat.placement.pool=old 2>&1 || echo "exit $?"
