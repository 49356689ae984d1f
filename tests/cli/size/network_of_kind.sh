# The network and its acceptance test are those of the machines that the work runs on, whichever
# pool comes first.
for pools in '{name: old, system: l40s-8gpu, count: 4}, {name: new, system: dgx-b200, count: 5}' \
    '{name: new, system: dgx-b200, count: 5}, {name: old, system: l40s-8gpu, count: 4}'; do
    cat >plan.yaml <<PLAN
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: networks}
spec:
  cluster:
    pools: [$pools]
    fabrics: [{name: compute, kind: ethernet, rate: 400 Gb/s, topology: fat-tree}]
  workloads:
    - name: tune
      type: finetune
      model: llama-3.1-70b
      data: {tokens: 1542M tokens}
      goal: {every: 19 d, maxDuration: 15 d}
      method: dpo
      recompute: none
      placement: {pool: new}
PLAN
    "$GPUPLAN" size plan.yaml --detail | sed -n '/^  network /,/^  [^ ]/p'
done
