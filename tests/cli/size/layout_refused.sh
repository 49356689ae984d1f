# What is declared binds: a rule of the framework, memory (short by how much) and time refuse it in
# words, and the plan does not hold; a release that nobody knows, or of nothing, is an error.
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: p}
spec:
  candidates: {allow: [dgx-h100]}
  workloads:
    - name: run
      type: training
      model: llama-3.1-70b
      data: {tokens: 100B tokens, sequenceLength: 8192, globalBatch: 8388608}
      goal: {completeWithin: 20 d}
      software: {framework: megatron-lm}
END
size() {
    code=0
    "$GPUPLAN" size plan.yaml "$@" 2>&1 | sed '/^Next/,$d' >out || true
    "$GPUPLAN" size plan.yaml "$@" -q >/dev/null 2>&1 || code=$?
    cat out
    echo "exit $code"
}
size --set 'workloads.run.parallelism={tp: 8, pp: 4, dp: 4, zero: 3}'
size --set 'workloads.run.parallelism={tp: 1, pp: 1, dp: 64, zero: 1}'
size --set 'workloads.run.parallelism={tp: 8, pp: 2, dp: 4}'
size --set 'workloads.run.software={framework: megatron-lm, release: "9.9"}'
size --set 'workloads.run.software={release: "2024-12"}'
