# Shares that are stated are judged as they are: with enough replicas each, with too few in one of
# them, and where one pool is too small; `size` adds to them, and compares whole machines of one kind.
plan() {
    cat <<PLAN
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: fleet}
spec:
  defaults: {software: {engine: vllm, tuning: tuned}}
  cluster:
    pools: [{name: old, system: dgx-h100, count: 2}, {name: new, system: dgx-h200, count: 2}]
  workloads:
    - name: chat
      type: inference
      model: llama-3.3-70b
      traffic: {requestsPerSecond: $1, inputTokens: 1500, outputTokens: 300}
      goal: {slo: {ttft: 2 s, tpot: 60 ms}}
      placement:
        shares:
          - {pool: old, fraction: 40%, parallelism: {tp: 4}, replicas: $2}
          - {pool: new, fraction: 60%}
PLAN
}
for load in '6 3' '6 1' '40 4'; do
    plan $load >plan.yaml
    echo "-- $load"
    "$GPUPLAN" check plan.yaml || echo "exit $?"
done
plan 14 3 >plan.yaml
"$GPUPLAN" size plan.yaml | sed -n '/^chat/p;/^Buy/p;/^Site/p;/^All on/,/^Checks/p'
