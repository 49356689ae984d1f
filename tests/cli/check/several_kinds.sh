# A service on several kinds of machines that stand: `check` finds shares of it there, though the
# closed form alone has no place for it; a plan that `export spec` wrote states them, and holds.
plan() {
    cat <<PLAN
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: fleet}
spec:
  defaults: {confidence: expected, software: {tuning: untuned}}
  cluster: {pools: [$1]}
  candidates: [mi325x-8gpu]
  workloads:
    - {name: chat, type: inference, model: $2,
       traffic: {requestsPerSecond: $3, inputTokens: $4, outputTokens: $5}, goal: {slo: {$6}}}
PLAN
}
plan '{name: a, system: mi300x-8gpu, count: 3}' \
    qwen3-32b 6.3 4000 800 'ttft: 2 s, tpot: 60 ms' >two.yaml
plan '{name: a, system: dgx-h200, count: 3, inUse: 1}, {name: b, system: dgx-h100, count: 2}' \
    gemma-3-27b '{mean: 6.1, peak: 8.1}' 450 290 'tpot: 31 ms' >three.yaml
for spec in two three; do
    "$GPUPLAN" export spec $spec.yaml -o built.yaml
    sed -n '/pools:/,/^  candidates/p;/workloads:/,$p' built.yaml
    "$GPUPLAN" check built.yaml | sed '/^Findings/,$d'
done
"$GPUPLAN" export spec two.yaml -o built.yaml
for spec in two built; do
    "$GPUPLAN" size $spec.yaml | sed -n '/^chat/p;/^Buy/p;/^Site/p'
done
