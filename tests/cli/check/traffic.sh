# A change that raises traffic tenfold fails the gate, at the line that was changed or its workload.
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: chat-70b}
spec:
  cluster:
    pools: [{name: gpu, system: dgx-h200, count: 1}]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b
      traffic: {requestsPerSecond: 1, inputTokens: 2000, outputTokens: 400}
      goal: {slo: {ttft: 2s, tpot: 60ms}}
END
"$GPUPLAN" check -q plan.yaml && echo "before: holds"
sed -i 's/requestsPerSecond: 1,/requestsPerSecond: 10,/' plan.yaml
"$GPUPLAN" check plan.yaml -f github | grep '^::error'
"$GPUPLAN" check plan.yaml -q && echo "after: holds" || echo "after: exit $?"
