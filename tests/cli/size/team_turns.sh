# A team holds what its runs hold at a time, also where they wait for those of others or take turns.
cat >after.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: turns}
spec:
  cluster: {pools: [{name: h, system: dgx-h100, count: 4}]}
  candidates: [dgx-h100]
  teams:
    - {name: base, quota: 24}
    - {name: post, quota: 8, borrowing: 8}
  workloads:
    - name: pretrain
      team: base
      type: training
      model: llama-3.1-8b
      data: {tokens: 300B}
      goal: {completeWithin: 30d}
      run: {preemptedEvery: 1d}
    - name: grpo
      team: post
      type: rl
      model: qwen3-8b
      rl:
        promptsPerStep: 64
        samplesPerPrompt: 16
        promptTokens: 500
        responseTokens: {mean: 4000, peak: 16000}
        steps: 400
      goal: {completeWithin: 7d}
      priority: 20
PLAN
cat >turns.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: turns}
spec:
  cluster: {pools: [{name: h, system: dgx-h100, count: 2}]}
  candidates: [dgx-h100]
  teams:
    - {name: base, quota: 8}
    - {name: post, quota: 8}
  workloads:
    - name: a
      team: base
      type: finetune
      model: &model llama-3.1-8b
      data: &data {tokens: 500M}
      goal: &goal {every: 7d, maxDuration: 3d}
    - {name: b, team: base, type: finetune, model: *model, data: *data, goal: *goal}
    - {name: c, team: post, type: finetune, model: *model, data: *data, goal: *goal}
PLAN
for plan in after turns; do
    "$GPUPLAN" size $plan.yaml >screen || echo "exit $?"
    sed -n "/^WORKLOAD/,/^together/p;/^Teams/p" screen
done
# And a run is not made so large that its team holds more than it may, where a smaller one will do.
"$GPUPLAN" size after.yaml --set cluster.pools.h.count=10 --set teams.base.quota=64 \
    --set workloads.pretrain.goal.completeWithin=12d >screen || echo "exit $?"
sed -n "1p;/^pretrain/p;/^grpo/p;/^Teams/p" screen
