# Layouts of large services as vLLM, SGLang and TensorRT-LLM are told of them: pools over several
# hosts, stages, copies of experts. tests/meta/engine_arguments.sh holds the arguments against the
# engines' own.
cat >engines.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: engines}
spec:
  candidates: [dgx-h200]
  workloads:
    - name: apart
      type: inference
      model: deepseek-v3
      disaggregated: true
      traffic: {requestsPerSecond: 20, inputTokens: 4000, outputTokens: 500}
      parallelism: {tp: 1, dp: 24, ep: 24}
    - name: staged
      type: inference
      model: deepseek-v3
      traffic: {requestsPerSecond: 1, inputTokens: 1000, outputTokens: 200}
      parallelism: {tp: 8, pp: 2, ep: 8}
END
"$GPUPLAN" export k8s engines.yaml | sed -n 's/^ *# \(vLLM\|SGLang\|TensorRT-LLM\): /\1: /p'
