# Workloads and plans that come and go; keys that went are set back to see what they did.
cat >base.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: site}
spec:
  cluster:
    pools: [{name: gpu, system: dgx-h200, count: 4}]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b
      traffic: {requestsPerSecond: 2, inputTokens: 2000, outputTokens: 400}
      goal: {slo: {ttft: 2s, tpot: 60ms, availability: 99.9%}}
    - name: old
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: 2, inputTokens: 2000, outputTokens: 400}
---
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: gone}
spec:
  workloads: [{name: chat, type: inference, model: llama-3.1-8b}]
END
sed -e '/^---/,$d' -e 's/name: old/name: new/' -e 's/, availability: 99.9%//' base.yaml >head.yaml
"$GPUPLAN" diff base.yaml head.yaml --width 110
