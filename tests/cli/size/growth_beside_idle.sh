# Growth takes what is idle of other kinds before more is bought, as the plan of that quarter does.
# Of more than eight workloads it says that it does not.
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
echo "## the plan of the last quarter"
"$GPUPLAN" size plan.yaml --set workloads.chat.traffic.requestsPerSecond=16.87 | sed -n "1p;/^Buy/p"
echo "## many"
sed "/- name: chat/,/goal:/{w one
}" plan.yaml >many.yaml
for n in 1 2 3 4 5 6 7 8; do sed "s/chat/chat$n/; s/: 3,/: 0.1,/" one; done >more
sed -i "/^  workloads:/r more" many.yaml
"$GPUPLAN" size many.yaml --detail | sed -n "/Quarter .*GPUs/,/^To build/{/^To build/d;p}"
