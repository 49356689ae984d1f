# Checking answers takes the cores of the machine; where nobody counted those, as many as it needs,
# never none.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: reward}
spec:
  candidates: [dgx-h100]
  workloads:
    - name: rl
      type: rl
      model: qwen3-8b
      rl:
        promptsPerStep: 64
        samplesPerPrompt: 16
        promptTokens: 300
        responseTokens: {mean: 2000, peak: 6000}
        steps: 400
        reward: {cpuTime: 60 s}
      goal: {completeWithin: 300d}
PLAN
for system in dgx-h100 hgx-h100; do
    "$GPUPLAN" size plan.yaml --set "candidates.allow=[$system]" --detail | grep -A1 '^  phases'
done
