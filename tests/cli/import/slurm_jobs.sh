# What sacct wrote becomes workloads, which a plan takes once it says what they are; rows that cannot
# be read are told all at once.
jobs=$ROOT/tests/samples/sacct_month.txt
"$GPUPLAN" import slurm:"$jobs" -o jobs.yaml
cat jobs.yaml
{
    printf 'apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: jobs}\nspec:\n'
    echo '  cluster: {pools: [{name: p, system: dgx-h100, count: 40}]}'
    sed 's/^/  /; s/- name: .*/&\n      type: training\n      model: llama-3.1-8b\n      data: {tokens: 1B}/' jobs.yaml
} >plan.yaml
"$GPUPLAN" validate plan.yaml
echo "== without times"
"$GPUPLAN" import slurm:"$ROOT/tests/samples/sacct.txt" 2>&1
echo "== none completed, so that no duration is known"
cat >cancelled.txt <<'JOBS'
JobID|JobName|State|Submit|Start|End|ElapsedRaw|NNodes|AllocTRES
1|a|COMPLETED|2026-05-30T08:00:00|2026-05-30T08:10:00|2026-06-01T09:00:00|175800|1|gres/gpu=8
2|b|CANCELLED by 1004|2026-05-30T09:00:00|2026-05-30T09:05:00|2026-05-30T09:06:40|100|1|gres/gpu=8
JOBS
"$GPUPLAN" import slurm:cancelled.txt 2>&1 | grep -e name: -e goal:
echo "== rows that cannot be read"
cat >bad.txt <<'BAD'
JobID|JobName|State|ElapsedRaw|NNodes|AllocTRES
1|a|COMPLETED|-5|1|gres/gpu=8
2|b|COMPLETED|10|many|gres/gpu=8
3|c|COMPLETED|10
BAD
"$GPUPLAN" import slurm:bad.txt 2>&1 || echo "exit $?"
echo "== columns that are not there"
printf 'JobID|State|ElapsedRaw\n1|COMPLETED|5\n' >few.txt
"$GPUPLAN" import slurm:few.txt 2>&1 || echo "exit $?"
echo "== nothing that ran"
printf 'JobID|JobName|State|ElapsedRaw|NNodes|AllocTRES\n1|a|PENDING|0|1|\n' >none.txt
"$GPUPLAN" import slurm:none.txt 2>&1 || echo "exit $?"
echo "== rows of jobs are no runs"
"$GPUPLAN" calibrate --read "$jobs" -o rows.csv 2>&1 | sed -n '1s/.*: note/note/p'
"$GPUPLAN" calibrate rows.csv 2>&1 | sed -n '1p;$p'
