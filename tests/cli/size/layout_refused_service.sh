# Declared replicas that are refused say by what: a rule of the engine, memory, the service level.
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: p}
spec:
  candidates: {allow: [dgx-h100]}
  workloads:
    - name: chat
      type: inference
      model: qwen3-30b-a3b
      traffic: {requestsPerSecond: 20, inputTokens: {mean: 1000}, outputTokens: {mean: 300}}
      goal: {slo: {ttft: {p95: 2s}, tpot: {p95: 50ms}}}
      software: {engine: vllm}
END
size() {
    "$GPUPLAN" size plan.yaml "$@" --format json | grep -o '"reason":"no candidate[^"]*' | cut -d'"' -f4 | uniq
}
size --set 'workloads[0].parallelism={tp: 2, dp: 4, ep: 4}'
size --set 'workloads[0].parallelism={tp: 2, dp: 4}' --set 'workloads[0].software.engine=tensorrt-llm'
size --set 'workloads[0].parallelism={tp: 1, pp: 3}' --set 'workloads[0].model=llama-3.1-405b'
size --set 'workloads[0].parallelism={tp: 1}' --set 'workloads[0].model=llama-3.1-70b' \
    --set 'candidates.allow=[dgx-h200]'
