# Machines of a cloud are rented whole, as long as a replica is on them; a unit of work costs the
# rent of its own machines, whatever else is rented.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: rent}
spec:
  candidates: {allow: ["cloud:aws/p5en.48xlarge"], objective: minCost}
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-8b
      traffic:
        {requestsPerSecond: {mean: 8}, profile: diurnal, inputTokens: 1500, outputTokens: 300}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
    - name: tune
      type: finetune
      model: llama-3.1-8b
      data: {tokens: 2B tokens, sequenceLength: 4096, globalBatch: 256k}
      goal: {every: 7d, maxDuration: 2d}
PLAN
"$GPUPLAN" size plan.yaml --detail | grep -E "USD|rented|GPU-hours"
"$GPUPLAN" size plan.yaml -w tune --detail | grep "per unit"
