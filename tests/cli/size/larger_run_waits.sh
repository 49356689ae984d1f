# A run that takes more machines than those before it waits for them all the same, so that none of
# these is made larger than it has to be.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: turns}
spec:
  candidates: {allow: [dgx-h100], objective: minMachines}
  workloads:
    - name: pretrain
      type: training
      model: llama-3.1-8b
      data: {tokens: 300B}
      goal: {completeWithin: 30d}
    - name: grpo
      type: rl
      model: qwen3-8b
      rl:
        promptsPerStep: 64
        samplesPerPrompt: 16
        promptTokens: 500
        responseTokens: 4000
        steps: 400
      goal: {completeWithin: 7d}
      priority: 20
PLAN
"$GPUPLAN" size plan.yaml >screen
sed -n "/^WORKLOAD/,/^together/p" screen
