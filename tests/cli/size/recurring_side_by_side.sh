# goal.every with jobs.concurrent: so many runs start together in each period, and between them
# their machines idle. Three take three times the energy of one; those of a period that have not
# ended when the next begins have places of their own.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: nightly}
spec:
  site: {power: {annual: 1.2, design: 1.3}, energy: {price: 0.15 EUR/kWh}}
  cluster: {pools: [{name: gpu, system: dgx-h100, count: 4}]}
  candidates: {allow: [dgx-h100]}
  costs: {currency: EUR}
  workloads:
    - name: qlora
      type: lora
      model: llama-3.1-70b
      adapter: {method: qlora, rank: 32, targets: [all]}
      data: {tokens: 30M tokens, sequenceLength: 4096}
      jobs: {concurrent: 3}
      goal: {every: 1d, maxDuration: 10h}
PLAN
plan() {
    echo "== $*"
    "$GPUPLAN" size plan.yaml --detail "$@" |
        grep '^  layout\|^  run \|^  a year\|^  qlora  \|^  cost'
}
plan
plan --set workloads.qlora.jobs.concurrent=1
plan --set workloads.qlora.goal='{every: 2h, completeWithin: 6h}'
plan --set workloads.qlora.goal='{every: 2h, completeWithin: 6h}' \
    --set workloads.qlora.jobs.concurrent=1
echo == without a period they are held for good
"$GPUPLAN" size plan.yaml --detail --set workloads.qlora.goal='{maxDuration: 10h}' |
    grep '^  a year\|^  qlora  '
