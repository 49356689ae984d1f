# A sum that leaves out what fails keeps within no limit, and a rule that is not judged is not
# resolved.
cat >base.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: svc}
spec:
  site: {energy: {price: 0.2 USD/kWh}}
  cluster:
    pools: [{name: own, system: dgx-h200, count: 3}]
  workloads:
    - name: chat
      type: inference
      model: meta-llama/Llama-3.3-70B
      parallelism: {tp: 4}
      replicas: 6
      traffic: {requestsPerSecond: {mean: 5, peak: 9}, inputTokens: 2000, outputTokens: 400}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
PLAN
sed "s/peak: 9/peak: 40/" base.yaml >head.yaml
cat >rules.yaml <<PLAN
apiVersion: gpuplan/v1
kind: Policy
metadata: {name: money}
spec:
  rules:
    - {id: T-1, assert: "cost.totalPerYear <= 10k USD"}
    - {id: T-2, assert: "summary.gpus <= 100"}
PLAN
"$GPUPLAN" check head.yaml --policy rules.yaml | grep -A2 "T-[12]" || echo "exit $?"
"$GPUPLAN" diff base.yaml head.yaml --policy rules.yaml | grep "T-[12]" || echo "exit $?"
