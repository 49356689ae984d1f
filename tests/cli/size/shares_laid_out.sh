# Shares that are laid out differently are told each: replicas times the GPUs of the first share were
# told of all of them, and decoding pools of two sizes counted as pools of the larger. Shares that are
# alike are told as one.
plan() {
    cat <<PLAN
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: fleet}
spec:
  cluster:
    pools: [{name: old, system: dgx-h100, count: 4}, {name: new, system: dgx-h200, count: 4}]
  workloads:
    - name: chat
      type: inference
      model: llama-3.3-70b
      traffic: {requestsPerSecond: 14, inputTokens: 1500, outputTokens: 300}
      goal: {slo: {ttft: 2 s, tpot: 60 ms}}
      placement:
        shares:
          - {pool: old, fraction: 40%, $1}
          - {pool: new, fraction: 60%, $2}
PLAN
}
told() {
    plan "$1" "$2" >plan.yaml
    "$GPUPLAN" check plan.yaml --format json | grep '"chosen":{"feasible"' |
        sed 's/.*"chosen":{//;s/"vertical":.*//;s/"shares":\[[^]]*\]//' |
        grep -oE '"(gpus|gpusPerReplica|tp|layout|name)":[^,]*'
    echo
}
told 'parallelism: {tp: 4}, replicas: 3' 'parallelism: {tp: 8}, replicas: 2'
told 'parallelism: {tp: 4}, replicas: 3' 'parallelism: {tp: 4}, replicas: 4'
apart='disaggregated: true, prefill: {parallelism: {tp: 4}, replicas: 3}'
told "$apart, decode: {parallelism: {tp: 8}, replicas: 1}" \
    "$apart, decode: {parallelism: {tp: 4}, replicas: 2}"
