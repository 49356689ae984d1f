# How many replicas a load takes hangs on no limit of the site: the same count is named whatever the
# power, and the limits that it passes are named with it. What is named holds.
cat >plan.yaml <<'EOF'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: declared}
spec:
  site: {power: {itCapacity: 40 kW, annual: 1.3}, cooling: {air: {capacity: 40 kW}}}
  cluster:
    pools: [{name: own, system: dgx-h200, count: 3}]
  workloads:
    - name: chat
      type: inference
      model: meta-llama/Llama-3.3-70B
      parallelism: {tp: 4}
      replicas: 6
      traffic: {requestsPerSecond: {mean: 5, peak: 50}, inputTokens: 2000, outputTokens: 400}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
EOF
for power in 40kW 60kW 400kW; do
    "$GPUPLAN" check plan.yaml --width 200 --set site.power.itCapacity=$power \
        --set site.cooling.air.capacity=$power >out && exit 1
    echo "$power"
    grep -A2 GP2002 out | grep -v ' at '
done
"$GPUPLAN" check plan.yaml -f json >out.json && exit 1
set --
for change in $(grep -o '"set":\["[^"]*"\(, *"[^"]*"\)*' out.json | head -1 | sed 's/^"set":.//' |
    tr -d '" ' | tr , ' '); do
    set -- "$@" --set "$change"
done
"$GPUPLAN" check plan.yaml "$@" | head -1
