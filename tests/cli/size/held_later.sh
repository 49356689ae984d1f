# Machines that a run had to itself are free once it is done, whatever others save by sharing.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: held}
spec:
  cluster: {pools: [{name: h, system: dgx-h100, count: 6}]}
  candidates: [dgx-h100]
  workloads:
    - name: pretrain
      type: training
      model: llama-3.1-8b
      data: {tokens: 200B}
      goal: {completeWithin: 30d}
    - name: loras
      type: lora
      model: qwen3-8b
      data: {tokens: 20M}
      jobs: {perWeek: 40, concurrent: 3}
      goal: {maxDuration: 6h}
    - name: nb
      type: seats
      seats: {atOnce: 20, memory: 20 GiB}
PLAN
"$GPUPLAN" size --detail plan.yaml >screen
sed -n "/^  When/,/^  nb/p" screen
