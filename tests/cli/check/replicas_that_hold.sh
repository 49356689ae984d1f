# The closed form asks for fewer replicas than hold: what was found by planning again is needed, and
# that is also how pools for prefill and decode are mended. Pasted it holds, with one fewer it fails.
plan() {
    cat <<PLAN
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: p}
spec:
  cluster: {pools: [{name: own, system: $1, count: $3}]}
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b
      $2
      traffic: {requestsPerSecond: {mean: 5, peak: $4}, inputTokens: 2000, outputTokens: 400}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
PLAN
}
judge() {
    plan "$@" >plan.yaml
    "$GPUPLAN" check plan.yaml -f json >out.json || :
    grep -o '"level":"error"' out.json | wc -l
    sed -n '/"GP2002"/{s/.*"message":"\([^"]*\)".*"fix":"\([^"]*\)".*/\1; \2/p;}' out.json
}
whole='parallelism: {tp: 4}
      replicas:'
for held in '3 6' '9 18' '9 16'; do
    echo "-- $held"
    judge dgx-h200 "$whole ${held#* }" "${held% *}" 40
done
for held in '4 4 1' '6 8 2' '6 7 2'; do
    echo "-- $held"
    set -- $held
    judge dgx-h100 "disaggregated: true
      prefill: {replicas: $2, parallelism: {tp: 4}}
      decode: {replicas: $3, parallelism: {tp: 8}}" "$1" 30
done
