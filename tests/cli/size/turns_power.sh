# A small run and a large one that has the same machines after it: what the site draws is not what
# the small one does, and none of it is told to be idle.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: turns}
spec:
  cluster: {pools: [{name: p0, system: dgx-b200, count: 22}]}
  candidates: [dgx-b200]
  workloads:
    - name: align
      type: rl
      model: llama-3.1-8b
      rl: {promptsPerStep: 256, samplesPerPrompt: 8, promptTokens: 500, responseTokens: {mean: 800, peak: 8192}, steps: 200, lag: 1}
      goal: {completeWithin: 5d}
      priority: 50
    - {name: pretrain, type: training, model: llama-3.1-70b, data: {tokens: 1T tokens, sequenceLength: 4096, globalBatch: 4M tokens}, goal: {completeWithin: 60d}}
PLAN
"$GPUPLAN" size -f json plan.yaml | grep '"itW"\|"itMeanW"\|"trainingW"'
"$GPUPLAN" explain plan.yaml site power.itMeanW | sed -n '/^itMeanPower/,/^  from/p' | sed '$d'
