# Seats on parts of GPUs are what Slurm counts: slices of MIG are types of their own beside whole
# GPUs, by the names that NVML has for both, and what shares a GPU otherwise has shards of it. A
# team's limits count them in place of the GPUs that they come from: slices that no host declared
# were asked for, and a seat on half a GPU took all of it.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: seats}
spec:
  cluster: {pools: [{name: h, system: dgx-h100, count: 2}, {name: l, system: l40s-8gpu, count: 1}]}
  candidates: [h, l]
  teams: [{name: labs, quota: 14, borrowing: 2}, {name: apps, quota: 8}]
  workloads:
    - {name: nb, team: labs, type: seats, seats: {atOnce: 20, memory: 10 GiB, hours: office, busy: 30%}, placement: {pool: h}}
    - {name: nb2, team: labs, type: seats, seats: {atOnce: 12, memory: 20 GiB}, placement: {pool: l}}
    - {name: tune, team: apps, type: lora, model: llama-3.1-8b, data: {tokens: 20M}, goal: {every: 7 d}, placement: {pool: h}}
PLAN
"$GPUPLAN" export slurm plan.yaml | sed '/sha256/d;/^if/,$d'
"$GPUPLAN" export slurm plan.yaml -w tune -f job | grep gpus-per
