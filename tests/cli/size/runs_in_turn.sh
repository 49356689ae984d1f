# Runs that are given more machines than they need may take turns on them: also where neither money
# nor carbon is what counts. That a run may use idle hours takes no turn from it.
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: turns}
spec:
  candidates: {allow: [dgx-h100], objective: minPower}
  workloads:
    - {name: p1, type: training, model: qwen3-30b-a3b, data: {tokens: 200B tokens}, goal: {completeWithin: 30d}}
    - {name: p3, type: training, model: llama-3.1-8b, data: {tokens: 200B tokens}, goal: {completeWithin: 30d}}
END
"$GPUPLAN" size plan.yaml | sed -n '/^WORKLOAD/,/^Site/p'
cat >weekly.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: weekly}
spec:
  candidates: [dgx-h100]
  workloads:
    - {name: f0, type: finetune, model: qwen3-32b, data: {tokens: 200M tokens, sequenceLength: 4096, globalBatch: 256k}, goal: {every: 7d, maxDuration: 2d}}
    - {name: f1, type: finetune, model: llama-3.1-8b, data: {tokens: 200M tokens, sequenceLength: 4096, globalBatch: 256k}, goal: {every: 7d, maxDuration: 2d}}
END
for f in f0 f1; do
    "$GPUPLAN" size weekly.yaml --set workloads.$f.placement.timeSharing=true | sed -n '/^f[01] /p;/^Buy/p'
done
