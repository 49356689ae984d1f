# A goal of tokens per second is planned for where it is more than the traffic, its peak, or the end
# of a run takes.
cat > plan.yaml <<'Y'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  candidates: {allow: [dgx-h100], objective: minPower}
  workloads:
    - name: svc
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: 1, inputTokens: 1000, outputTokens: 300}
      goal: {throughput: 20k}
Y
size() {
    echo "== $*"
    set -- --set "workloads.svc.$1" ${2:+--set "workloads.svc.$2"}
    "$GPUPLAN" size plan.yaml "$@" 2>/dev/null | sed -n '4p;/GPUs* in use/p;/^  .*at peak/p'
    "$GPUPLAN" size plan.yaml "$@" -f json 2>/dev/null |
        grep -oE '"demandRequestsPerS":[0-9.]+|"flip":\{"variable":"[A-Za-z]+"'
}
size goal.throughput=20k
size goal.throughput=200
size goal.throughput=20k 'traffic.requestsPerSecond={mean: 1, peak: 30}'
size goal.throughput=20k 'traffic.requestsPerSecond={mean: 1, peak: 90}'
size traffic='{inputTokens: 1000, outputTokens: 300}'
offline='traffic={requests: 1M, inputTokens: 1000, outputTokens: 300}'
size "$offline" 'goal={completeWithin: 10d, throughput: 20k}'
size "$offline" 'goal={completeWithin: 1h, throughput: 20k}'
size "$offline" 'goal={every: 10d, throughput: 20k}'
"$GPUPLAN" explain plan.yaml svc performance.demandRequestsPerS 2>/dev/null | sed -n '/^plannedPeak/,/^ *$/p;/^askedRate/,/^ *$/p'
cat > run.yaml <<'Y'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  candidates: {allow: [dgx-h100], objective: minPower}
  workloads:
    - name: run
      type: training
      model: llama-3.1-8b
      data: {tokens: 100B, sequenceLength: 8192, globalBatch: 4M}
      goal: {completeWithin: 60d, throughput: 400k}
Y
"$GPUPLAN" size run.yaml 2>/dev/null | sed -n '4p;/GPUs* in use/p'
