# A fabric that the spec tells of is built for all machines that stand on it, used or not: growth
# has room on it up to what those switches take, and not up to what a smaller one would.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: there}
spec:
  cluster:
    pools: [{name: own, system: dgx-h100, count: 24}]
    fabrics: [{name: compute, kind: infiniband, rate: 400 Gb/s, switch: qm9700}]
  candidates: {allow: [own]}
  workloads:
    - name: tune
      type: finetune
      model: llama-3.1-8b
      data: {tokens: 200B tokens, sequenceLength: 4096, globalBatch: 4M}
      goal: {every: 30d, maxDuration: 10d}
  growth: {start: 2027-Q1, horizon: 4 quarters, scenarios: {expected: {tune: 40%/yr}}}
PLAN
"$GPUPLAN" size plan.yaml --detail |
    sed -n '/^tune /p;/^  fabric    compute/,+1p;/^  Limit/,/^$/p;/^To build/,/^$/p'
