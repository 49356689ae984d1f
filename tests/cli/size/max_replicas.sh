# A service that would hold with more replicas than it may have: that number is what is in its way,
# not the latency of some layout that carries no load, and the fix holds.
cat > plan.yaml <<'Y'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: serving}
spec:
  candidates: [dgx-h200, dgx-b200]
  workloads:
    - name: rag
      type: inference
      model: meta-llama/Llama-3.3-70B
      traffic:
        requestsPerSecond: 4
        profile: office
        inputTokens: {mean: 9000, p95: 16000}
        outputTokens: 250
      precision: {compute: fp8, weights: fp8}
      scaling: {minReplicas: 1, maxReplicas: 12}
      goal: {slo: {ttft: 3 s, e2e: {p95: 15 s}}}
Y
"$GPUPLAN" size plan.yaml 2>/dev/null | sed -n '1,/^Fix/p;/^Next/,$p'
"$GPUPLAN" size plan.yaml --set workloads.rag.scaling.maxReplicas=13 2>/dev/null | sed -n 1p
# An autoscaler has no machines beyond those of the plan, whatever the service may have.
sed 's/maxReplicas: 12}/maxReplicas: 40}\n      disaggregated: false\n      software: {engine: vllm}/' plan.yaml > wide.yaml
"$GPUPLAN" export k8s wide.yaml | grep 'Replicas:'
