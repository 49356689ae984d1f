# What a plan builds, as a spec, asks for nothing more: storage of runs on several machines, and the
# switches that are built at once for the horizon.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: lab}
spec:
  defaults: {confidence: expected}
  candidates: [dgx-h200]
  workloads:
    - name: chat
      type: inference
      model: deepseek-v3
      traffic: {requestsPerSecond: {mean: 4.6, peak: 13.8}, inputTokens: 4000, outputTokens: 700}
      goal: {slo: {ttft: 3 s, tpot: 50 ms}}
    - name: tune
      type: finetune
      model: llama-3.1-70b
      data: {samples: 300k, tokensPerSample: 1200, epochs: 2, sequenceLength: 4096, globalBatch: 256k}
      goal: {every: 7d, maxDuration: 1d}
  growth:
    start: 2027-Q1
    horizon: 8 quarters
    scenarios: {expected: {chat: 8%/mo}}
PLAN
"$GPUPLAN" size plan.yaml | sed -n '/^Buy/,/^Site/p'
"$GPUPLAN" export spec plan.yaml -o built.yaml
sed -n '/^  cluster:/,/^  candidates/p' built.yaml
"$GPUPLAN" size built.yaml | sed -n '/^Buy/,/^Site/p'
sed -i 's/product: .*/product: ddn-ai400x2-turba/' built.yaml
"$GPUPLAN" validate built.yaml 2>&1 || echo "exit $?"
