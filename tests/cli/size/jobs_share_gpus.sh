# Sixteen jobs at a time on eight GPUs: several to a GPU, unless the spec or the deadline says no.
plan() {
    cat >plan.yaml <<SPEC
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: adapters}
spec:
  cluster: {pools: [{name: p, system: dgx-h100, count: 1}]}
  candidates: [dgx-h100]
  workloads:
    - name: w
      type: lora
      model: llama-3.1-8b
      adapter: {method: qlora, rank: 16}
      data: {tokens: 4M tokens, sequenceLength: 2048, globalBatch: 32k}
      jobs: $1
      goal: {maxDuration: $2}
SPEC
    "$GPUPLAN" size plan.yaml --detail | sed -n '/^w: /,/^  time/p'
}
plan '{concurrent: 16}' 6h
plan '{concurrent: 16, perGpu: 1}' 6h
plan '{concurrent: 16}' 16m
