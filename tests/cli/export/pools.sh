# Pools of their own with other sizes each: every export of a cluster writes both, and a simulation
# tells the layout of both.
cat >split.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: split}
spec:
  candidates: [dgx-b200]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b
      disaggregated: true
      traffic: {requestsPerSecond: 0.9, profile: office, inputTokens: {mean: 2891, p95: 8196}, outputTokens: {p50: 85, p99: 417}, prefixCacheHit: 44%}
      goal: {slo: {ttft: {p99: 7000 ms}, tpot: 47 ms}}
PLAN
"$GPUPLAN" export slurm split.yaml | grep '^# ----\|^NodeName\|^# chat\|nodes=\|per-node\|--array\|TENSOR'
"$GPUPLAN" export slurm split.yaml -o gres=gres.conf -o slurm.conf
grep -h '^NodeName' gres.conf slurm.conf
"$GPUPLAN" export k8s split.yaml | grep '^  name:\|^  replicas:\|nvidia.com/gpu: '
"$GPUPLAN" simulate split.yaml --requests 2000 | grep '^layout'
"$GPUPLAN" simulate split.yaml --requests 2000 --autoscale 1:3 | grep '^layout'
"$GPUPLAN" simulate split.yaml --requests 2000 -f json | grep -i 'replica"\|replicas"\|"tp"\|"prefillTp"'
