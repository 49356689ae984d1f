# Machines that are not on the compute fabric take no switches of it; those that a run needs join it.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: connected}
spec:
  cluster:
    pools: [{name: own, system: dgx-h100, count: 24, connected: 0}]
    fabrics: [{name: compute, rate: 400 Gb/s, switch: qm9700}]
  candidates: [dgx-h100]
  workloads:
    - {name: chat, type: inference, model: llama-3.1-8b, traffic: {requestsPerSecond: 6, inputTokens: 1000, outputTokens: 300}, goal: {slo: {ttft: 2 s}}}
PLAN
"$GPUPLAN" size plan.yaml | sed -n '/^SITE  .*GPU/,/^FINDINGS/p'
"$GPUPLAN" size plan.yaml --set cluster.pools.own.connected=24 | sed -n '/^SITE  .*GPU/,/^FINDINGS/p'
cat >>plan.yaml <<'PLAN'
    - {name: pre, type: training, model: llama-3.1-8b, data: {tokens: 500B tokens}, goal: {completeWithin: 45d}}
PLAN
"$GPUPLAN" size plan.yaml | sed -n '/^WORKLOAD/,/^FINDINGS/p'
