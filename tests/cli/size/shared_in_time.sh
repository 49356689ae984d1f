# A cluster over time: runs take turns, follow each other, and use the hours that services leave.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: shared-in-time}
spec:
  candidates: {allow: [dgx-h200], objective: minPower}
  cluster:
    pools: [{name: p, system: dgx-h200, count: 7}]
    fabrics: [{name: compute, rate: 400 Gb/s}]
    reserve: {systemNodes: 3}
  workloads:
    - {name: chat, type: inference, model: llama-3.1-70b-fp8, priority: 90, disaggregated: false, traffic: {requestsPerSecond: {mean: 8, peak: 30}, profile: office, inputTokens: 2000, outputTokens: 400}, goal: {slo: {ttft: 3 s, tpot: 60 ms}}}
    - {name: weekly, type: finetune, model: llama-3.1-8b, priority: 50, data: {tokens: 4B tokens, sequenceLength: 4096, globalBatch: 512k tokens}, goal: {every: 7d, maxDuration: 3d}}
    - {name: monthly, type: finetune, model: llama-3.1-8b, priority: 40, data: {tokens: 8B tokens, sequenceLength: 4096, globalBatch: 512k tokens}, goal: {every: 30d, maxDuration: 5d}}
    - {name: study, type: finetune, model: llama-3.1-8b, priority: 35, data: {tokens: 4B tokens, sequenceLength: 4096, globalBatch: 512k tokens}, goal: {completeWithin: 20d}}
    - {name: repeat, type: finetune, model: llama-3.1-8b, priority: 32, data: {tokens: 4B tokens, sequenceLength: 4096, globalBatch: 512k tokens}, goal: {completeWithin: 30d}}
    - {name: nightly, type: finetune, model: llama-3.1-8b, priority: 30, placement: {timeSharing: true}, data: {tokens: 2B tokens, sequenceLength: 4096, globalBatch: 512k tokens}, goal: {every: 7d, maxDuration: 2d}}
PLAN
"$GPUPLAN" size plan.yaml | sed -n '/^WORKLOAD/,/^$/p'
"$GPUPLAN" size plan.yaml --detail | sed -n '/^Machines over time/,/^Bill/p'
"$GPUPLAN" size plan.yaml -f json | grep -o '"turn": *"[a-z]*"'
