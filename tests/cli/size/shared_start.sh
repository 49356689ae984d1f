# Where no objective is stated, a plan that leaves machines in place to a part of a service may buy
# fewer than one that gives them to a run: ten machines of the dearer kind less.
"$GPUPLAN" size - <<'PLAN' | sed -n '/^WORKLOAD/,/^Site/p'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: start}
spec:
  cluster: {pools: [{name: p0, system: dgx-h200, count: 5}, {name: p1, system: dgx-b200, count: 5}]}
  candidates: {allow: [dgx-b200, dgx-h200]}
  workloads:
    - {name: pretrain, type: training, model: qwen3-32b, data: {tokens: 1T tokens, sequenceLength: 4096, globalBatch: 4M tokens}, goal: {completeWithin: 30d}}
    - {name: chat, type: inference, model: qwen3-32b, traffic: {requestsPerSecond: 22.12, inputTokens: 8000, outputTokens: 800}, goal: {slo: {ttft: 4 s, tpot: 30 ms}}}
PLAN
