# Of two scenarios that are not both stated one alone is told, which no dash may make negative.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  site: {power: {annual: 1.3, design: 1.4}}
  cluster: {pools: [{name: h1, system: dgx-h100, count: 4}]}
  workloads:
    - name: tune
      type: finetune
      model: llama-3.1-70b
      data: {tokens: 2B tokens, sequenceLength: 4096, globalBatch: 256k}
      goal: {every: 7d, maxDuration: 2d}
  growth:
    start: 2027-Q1
    horizon: 2 quarters
    scenarios: {expected: {tune: 100%/yr}}
PLAN
for s in high=200%/yr low=50%/yr; do
    for f in text markdown; do
        "$GPUPLAN" size plan.yaml --detail -f $f --set growth.scenarios.${s%%=*}.tune="${s#*=}" |
            sed -n "/Quarter .*GPUs/,/2027-Q2/p"
    done
done
