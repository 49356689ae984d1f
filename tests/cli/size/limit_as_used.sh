# As many machines as the plan takes are allowed: nothing changes, although the formula asks for one
# more of them than simulation does.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: seats beside}
spec:
  defaults: {headroom: {gpus: 20%}, software: {tuning: tuned}}
  cluster: {pools: [{name: p0, system: dell-xe8640, count: 1}]}
  candidates: {allow: [dgx-h100, dell-xe8640], objective: minPower}
  workloads:
  - {name: inf0, type: inference, model: mixtral-8x7b, traffic: {requestsPerSecond: 12, inputTokens: 2000, outputTokens: 150}, goal: {slo: {e2e: 40 s}}}
  - {name: s, type: seats, seats: {atOnce: 3, gpus: 1}}
PLAN
for most in 2 1; do
    "$GPUPLAN" size plan.yaml --set candidates.limits.maxNodes=$most | sed -n "1p;/^inf0/p;/^Site/p"
done
