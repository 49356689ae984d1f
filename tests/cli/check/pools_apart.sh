# Declared replicas of prefill and of decode are judged as they are: enough, too few of one of them,
# and without the spares that the availability asks for; `size` adds what is missing in the same
# layouts, and writes them out so that nothing more is asked for.
plan() {
    cat <<PLAN
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: apart}
spec:
  cluster: {pools: [{name: b200, system: dgx-b200, count: 10}]}
  candidates: {allow: [dgx-b200]}
  workloads:
    - name: answers
      type: inference
      model: deepseek-v3
      software: {tuning: typical}
      traffic: {requestsPerSecond: 30, inputTokens: 4000, outputTokens: 800}
      goal: {slo: {ttft: 3 s, tpot: 50 ms${3:+, $3: 99.9%}}}
      disaggregated: true
      prefill: {replicas: $1, parallelism: {dp: 8, ep: 8, tp: 1}}
      decode: {replicas: $2, parallelism: {dp: 8, ep: 8, tp: 1}}
PLAN
}
for given in '5 5' '2 5' '5 2' '5 5 availability'; do
    plan $given >plan.yaml
    echo "-- $given"
    "$GPUPLAN" check plan.yaml || echo "exit $?"
    "$GPUPLAN" size plan.yaml | sed -n '/^answers/p;/^Buy/p'
done
"$GPUPLAN" export spec plan.yaml >again.yaml
sed -n '/prefill:/p;/decode:/p' again.yaml
"$GPUPLAN" check again.yaml | head -1
"$GPUPLAN" size again.yaml | sed -n '/^answers/p;/^Buy/p'

echo "-- without pools of their own, and for a run"
plan 5 5 | sed 's/disaggregated: true/replicas: 3/' >plan.yaml
cat >>plan.yaml <<'PLAN'
    - name: tuned
      type: finetune
      model: llama-3.1-8b
      data: {tokens: 100M}
      prefill: {replicas: 2}
PLAN
"$GPUPLAN" validate plan.yaml || echo "exit $?"
