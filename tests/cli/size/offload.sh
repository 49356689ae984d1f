# Optimizer states in host memory, on drives that are not stated, and as a change of software.
plan() {
    cat >plan.yaml <<SPEC
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: offload}
spec:
  cluster: {pools: [{name: p, system: dgx-h100, count: 1}]}
  candidates: {allow: [dgx-h100], limits: {maxNodes: $2}}
  workloads:
    - name: w
      type: finetune
      model: llama-3.1-70b
      data: {tokens: 20M tokens, sequenceLength: 4096, globalBatch: 512k tokens}
      offload: $1
      goal: {maxDuration: 5d}
SPEC
    "$GPUPLAN" size plan.yaml --detail | sed -n '/^w: /,/^Site/p' | grep -v '^Site'
}
plan optimizer 4
plan none 4
plan '{states: optimizer, to: nvme}' 1 || true
