# Availability that rests on some replicas of each machine is kept by pods that lie as planned, also
# where more of them would fit on one; without spares pods lie where they like.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: serve}
spec:
  defaults: {software: {engine: vllm}}
  candidates: [dgx-b200]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b-fp8
      traffic:
        requestsPerSecond: {mean: 12, peak: 30}
        inputTokens: {mean: 1800, p95: 6000}
        outputTokens: {mean: 350, p95: 900}
        prefixCacheHit: 30%
      goal: {slo: {ttft: 1.5 s, tpot: 40 ms, availability: 99.9%}}
PLAN
spread() {
    "$GPUPLAN" export k8s "$1" | sed -n '/layout:/{p;q;}'
    "$GPUPLAN" export k8s "$1" | sed -n '/^    spec:/,/nodeSelector/p'
}
spread plan.yaml
sed 's/, availability: 99.9%//' plan.yaml >calm.yaml
spread calm.yaml
