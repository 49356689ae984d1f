# Growth that buys while machines of other kinds stand says that it does not count on them; what
# stands on one kind has none to count on.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  site: {power: {annual: 1.3, design: 1.4}}
  cluster: {pools: [{name: a, system: dgx-h100, count: 3}, {name: b, system: dgx-h200, count: 1}]}
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b
      traffic: {requestsPerSecond: 3, inputTokens: 1000, outputTokens: 300}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
  growth: {start: 2027-Q1, horizon: 4 quarters, scenarios: {expected: {chat: 900%/yr}}}
PLAN
"$GPUPLAN" size plan.yaml --detail | sed -n "/Quarter .*GPUs/,/^To build/{/^To build/d;p}"
echo "## one kind"
"$GPUPLAN" size plan.yaml --detail --set "cluster.pools=[{name: b, system: dgx-h200, count: 1}]" |
    sed -n "/Quarter .*GPUs/,/^To build/{/^To build/d;p}"
