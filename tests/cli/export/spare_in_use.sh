# A spare that no pool has free for the reserve is none: a run counted on it, and the plan, declared,
# did not hold.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: made}
spec:
  cluster: {pools: [{name: pool0, system: dgx-h200, count: 4, inUse: 4}], reserve: {spareNodes: 1}}
  candidates: {allow: [mi300x-8gpu]}
  workloads: [
    {name: w1, type: training, model: llama-3.1-8b, data: {tokens: 70B tokens}, goal: {completeWithin: 9 d}, software: {tuning: untuned}}]
PLAN
"$GPUPLAN" export spec plan.yaml >declared.yaml
for plan in plan declared; do
    "$GPUPLAN" size $plan.yaml | sed -n '1p;/^w1/p'
done
