# What holds today by simulation alone is not said to be too much.
cat >site.yaml <<'Y'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: site}
spec:
  cluster: {pools: [{name: q, system: dgx-h200, count: 2}]}
  workloads:
    - {name: draw, type: inference, model: flux.1-dev, traffic: {requestsPerSecond: 0.3}, goal: {slo: {e2e: 10 s}}}
Y
"$GPUPLAN" size site.yaml | head -1
"$GPUPLAN" capacity site.yaml | tail -1
