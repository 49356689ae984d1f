# What stands is told whole, and of it what each workload uses, not what is left for it.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: today}
spec:
  site: {power: {itCapacity: 300 kW}}
  cluster:
    pools: [{name: own, system: dgx-h100, count: 10}]
    fabrics: [{name: compute, rate: 400 Gb/s, switch: qm9700}]
  candidates: [dgx-h100]
  workloads:
    - {name: chat, type: inference, model: llama-3.1-70b-fp8, traffic: {requestsPerSecond: 6, inputTokens: 1000, outputTokens: 300}, goal: {slo: {ttft: 2 s, tpot: 60 ms}}}
    - {name: sft, type: finetune, model: llama-3.1-8b, data: {tokens: 100M tokens}, goal: {every: 7d, maxDuration: 24h}}
PLAN
"$GPUPLAN" size plan.yaml | sed -n '/^WORKLOAD/,/^FINDINGS/p; /^BILL/,/^$/p'
# With workloads that use a part of it, the site's own figures are the same.
sed -i '/name: sft/d' plan.yaml
"$GPUPLAN" size plan.yaml | sed -n '/^WORKLOAD/,/^FINDINGS/p'
