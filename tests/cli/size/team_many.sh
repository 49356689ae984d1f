# Teams keep to what they may hold among many workloads as among few, and limits that nobody reaches
# change nothing.
plan() {
    cat <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: many}
spec:
  candidates: [dgx-h100, dgx-h200]
  teams:
PLAN
    for team in 0 1 2 3 4; do
        echo "  - {name: t$team, quota: $1, borrowing: 0}"
    done
    echo "  workloads:"
    i=0
    while [ $i -lt 45 ]; do
        echo "  - name: w$i"
        echo "    team: t$((i % 5))"
        case $((i % 3)) in
        0) cat <<PLAN ;;
    type: inference
    model: llama-3.1-8b
    traffic: {requestsPerSecond: $((3 + i * 7 % 38)), inputTokens: 1500, outputTokens: 300}
    goal: {slo: {ttft: 2 s, tpot: 40 ms}}
PLAN
        1) cat <<PLAN ;;
    type: lora
    model: qwen3-32b
    adapter: {method: qlora, rank: 16}
    data: {tokens: $((5 + i * 11 % 35))M tokens, sequenceLength: 2048, globalBatch: 32k}
    goal: {every: 7d, maxDuration: 12h}
PLAN
        2) cat <<PLAN ;;
    type: finetune
    model: llama-3.1-8b
    data: {tokens: $((100 + i * 137 % 1900))M tokens, sequenceLength: 4096, globalBatch: 256k}
    goal: {every: 7d, maxDuration: 3d}
PLAN
        esac
        i=$((i + 1))
    done
}
for quota in 36 40 60; do
    plan $quota >plan.yaml
    "$GPUPLAN" size plan.yaml >screen || echo "exit $?"
    sed -n "1p;/^Teams/p" screen
done
