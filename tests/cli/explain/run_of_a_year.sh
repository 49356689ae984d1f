# What the energy of a year is made of: a run that ends has its machines for a part of it.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: year}
spec:
  cluster: {pools: [{name: h100, system: dgx-h100, count: 2}]}
  workloads:
    - name: tune
      type: finetune
      model: llama-3.1-8b
      data: {tokens: 20B tokens, sequenceLength: 4096, globalBatch: 256k}
      goal: {completeWithin: 20d}
PLAN
"$GPUPLAN" explain plan.yaml site energyJPerYear | sed -n "/^  with/,/^  from/p;/^  from/q" | grep -v from
