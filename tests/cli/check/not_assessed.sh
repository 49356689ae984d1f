# What could not be judged does not hold: stated goals without traffic, rules without their figure.
cat > plan.yaml <<'Y'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: ci}
spec:
  cluster:
    pools: [{name: own, system: dgx-h200, count: 2}]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: {mean: 5, peak: 12}, inputTokens: 2000, outputTokens: 400}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
Y
grep -v traffic plan.yaml > head.yaml
run() {
    code=0
    "$GPUPLAN" "$@" 2> err > out || code=$?
    cat out err | sed "$last"
    echo "exit $code"
}
last='/^[0-9]* note/d'
run check head.yaml
last='2,$d'
run check plan.yaml
run size head.yaml
run diff plan.yaml head.yaml
run diff head.yaml plan.yaml
policy() {
    cat > policy.yaml <<P
apiVersion: gpuplan/v1
kind: Policy
metadata: {name: rules}
spec: {rules: [{id: TEAM-001, $1}]}
P
    run check plan.yaml --policy policy.yaml
}
last='2,$d'
policy 'assert: "summary.costPerYear <= 2M USD"'
policy 'assert: "summary.costPerYear <= 2M USD", level: warning'
policy 'select: {workload.type: inf*}, assert: "memory.headroomFraction >= 5%"'
last=
policy 'select: {workload.type: inferense}, assert: "memory.headroomFraction >= 5%"'
