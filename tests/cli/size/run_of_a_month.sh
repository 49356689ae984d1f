# Start, evaluation, failures and spare machines of a long run, all stated.
cat >plan.yaml <<'SPEC'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: month}
spec:
  cluster:
    pools: [{name: p, system: dgx-h100, count: 66}]
    storage: [{name: s, readBandwidth: 200 GB/s, writeBandwidth: 100 GB/s}]
    reserve: {spareNodes: 2}
  candidates: [dgx-h100]
  workloads:
    - name: w
      type: training
      model: llama-3.1-70b
      data: {tokens: 1T tokens, sequenceLength: 8192, globalBatch: 4M tokens}
      software: {framework: megatron, tuning: tuned}
      evaluation: {tokens: 20M tokens, every: 2B tokens}
      run: {start: 15 min, restart: 20 min, mttf: 40000 h}
      goal: {completeWithin: 45d}
SPEC
"$GPUPLAN" size plan.yaml --detail | sed -n '/^w: /,/goal/p'
"$GPUPLAN" explain plan.yaml w | sed -n '/^restartTime/,/^$/p; /^spareWait/,/^$/p; /^startTime/,/^$/p; /^evaluationShare/,/^$/p'
