# Cohorts, quotas and what may be borrowed; seats as parts; accounts and a window of maintenance.
cp "$ROOT/examples/teams.yaml" .
"$GPUPLAN" export kueue teams.yaml | grep -v -e digest -e sha256
"$GPUPLAN" export slurm teams.yaml | sed -n '/---- accounts/,/---- adapters/p'
"$GPUPLAN" export slurm teams.yaml -f accounts | tail -1
"$GPUPLAN" export k8s teams.yaml -w notebooks | grep -v -e digest -e sha256
"$GPUPLAN" export slurm "$ROOT/examples/minimal.yaml" -f accounts | tail -1
# A service on two kinds of machines is its team's on both; seats on two are refused.
cat > two.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: two}
spec:
  cluster:
    pools: [{name: p, system: dgx-h100, count: 1}, {name: q, system: dgx-a100, count: 1}]
  candidates: {allow: [dgx-h100, dgx-a100]}
  teams: [{name: t, quota: 8}]
  workloads:
    - name: n
      team: t
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: {peak: 320, mean: 150}, inputTokens: 500, outputTokens: 200}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
      disaggregated: false
END
"$GPUPLAN" export kueue two.yaml | grep -e uota -e clusterQueue
"$GPUPLAN" export slurm two.yaml | grep account=
sed '/type: inf/,$d' two.yaml > seats.yaml
printf '      type: seats\n      seats: {atOnce: 80, memory: 9 GiB}\n' >> seats.yaml
"$GPUPLAN" export kueue seats.yaml 2>&1 || true
