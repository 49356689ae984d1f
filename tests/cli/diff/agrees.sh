# Whether the plan still holds: diff says of the newer side what check says, and exits as it does, on
# pairs of specs with one value changed each, in both directions, and under a policy.
cat >base.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: gate}
spec:
  site: {power: {itCapacity: 60 kW}, racks: {count: 4, maxPower: 33 kW}}
  cluster: {pools: [{name: own, system: dgx-h100, count: 4}]}
  candidates: [dgx-h100]
  workloads:
    - {name: sft, type: finetune, model: llama-3.1-8b, data: {tokens: 100M tokens, sequenceLength: 4096, globalBatch: 256k tokens}, goal: {maxDuration: 12h}}
    - {name: tune, type: lora, model: llama-3.1-8b, data: {tokens: 4M tokens, sequenceLength: 2048, globalBatch: 32k}, goal: {maxDuration: 6h}}
PLAN
cat >strict.yaml <<'POLICY'
apiVersion: gpuplan/v1
kind: Policy
metadata: {name: strict}
spec:
  rules:
    - {id: ORG-001, assert: "summary.itPowerW <= 45 kW"}
    - {id: ORG-002, assert: "diff.site.cooling.airLimitW <= 10 kW", level: warning}
POLICY
pair() {
    for policy in '' $4; do
        said=0
        told=0
        "$GPUPLAN" check $2 $policy -q || said=$?
        "$GPUPLAN" diff $1 $2 $policy -f markdown >out || told=$?
        [ $said = $told ] || echo "check $said, diff $told: $3 $policy"
        echo "$told: $(sed -n 's/^## gpuplan: //p' out)"
    done
}
while IFS='|' read -r from to; do
    sed "s/$from/$to/" base.yaml >head.yaml
    cmp -s base.yaml head.yaml && echo "nothing was changed: $from"
    echo "== $from to $to"
    pair base.yaml head.yaml "$from" '--policy=strict.yaml --fail-on=warning'
    pair head.yaml base.yaml "$from, back" ''
done <<'CHANGES'
itCapacity: 60 kW|itCapacity: 40 kW
count: 4, maxPower: 33 kW|count: 1, maxPower: 11 kW
maxDuration: 6h|maxDuration: 1m
system: dgx-h100, count: 4|system: l40s-8gpu, count: 4
maxDuration: 12h|maxDuration: 12m
system: dgx-h100, count: 4|system: dgx-h100, count: 8
CHANGES
