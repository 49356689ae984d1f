# Machines that another workload of the plan is short of are no surplus of the one beside them.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: short}
spec:
  cluster: {pools: [{name: own, system: dgx-h200, count: 6}]}
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b-fp8
      parallelism: {tp: 2}
      replicas: 10
      traffic: {requestsPerSecond: {mean: 8, peak: 24}, inputTokens: 2000, outputTokens: 400}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
    - name: tune
      type: finetune
      model: llama-3.1-8b
      parallelism: {dp: 8, zero: 1}
      data: {tokens: 1B tokens, sequenceLength: 4096, globalBatch: 256k}
      goal: {every: 7d, maxDuration: 2d}
PLAN
for replicas in 10 11; do
    "$GPUPLAN" check plan.yaml --set "workloads.chat.replicas=$replicas" --detail all >out.txt || true
    sed -n '1p;/GP2002\|GP3006/,/^  fix/p' out.txt
done
