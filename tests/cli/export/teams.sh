# Cohorts, quotas and what may be borrowed; seats as parts; accounts and a window of maintenance.
cp "$ROOT/examples/teams.yaml" .
"$GPUPLAN" export kueue teams.yaml | grep -v -e digest -e sha256
"$GPUPLAN" export slurm teams.yaml | sed -n '/---- accounts/,/---- adapters/p'
"$GPUPLAN" export slurm teams.yaml -f accounts | tail -1
"$GPUPLAN" export k8s teams.yaml -w notebooks | grep -v -e digest -e sha256
"$GPUPLAN" export slurm "$ROOT/examples/minimal.yaml" -f accounts | tail -1
