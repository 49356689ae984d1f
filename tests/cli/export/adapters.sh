# A run that trains adapters was launched as one that trains all weights: method, rank, matrices and
# the format of the frozen weights are said, in the spelling of what trains them. Frameworks keep to
# their own arguments, and one whose arguments are not known gets none of another.
plan() {
    cat <<PLAN
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: tune}
spec:
  candidates: [dgx-h100]
  workloads:
    - name: tune
      type: $1
      model: llama-3.1-8b
      $2
      data: {tokens: 20M}
      goal: {every: 7 d}
PLAN
}
launched() {
    plan "$@" >plan.yaml
    echo "-- $*"
    "$GPUPLAN" export slurm -f job plan.yaml | sed -n '/--time/p;/^export ADAPTER/p;/^export OPT/,$p'
}
qlora='adapter: {method: qlora, rank: 64, targets: [q_proj, o_proj, up_proj]}'
launched lora "$qlora"
for framework in trl llama-factory torchtune megatron-bridge; do
    launched lora "$qlora
      software: {framework: $framework}"
done
launched finetune 'software: {framework: torchtune}'
launched finetune 'software: {framework: maxtext}'
plan lora 'adapter: {rank: 32, targets: [all]}' >plan.yaml
"$GPUPLAN" export k8s plan.yaml | sed -n '/args:/,/OPTIMIZER/p'
