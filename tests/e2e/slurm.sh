#!/bin/sh
# A real slurmctld and slurmd take gres.conf and node lines as they are, and sbatch the job scripts.
. "$ROOT/tests/lib.sh"
need slurmctld slurmd sbatch scontrol munged "$GPUPLAN"
PATH=$PATH:/usr/sbin:/sbin

started=
stop_all() {
    for number in $started; do
        kill "$number" 2>/dev/null
    done
    for number in $started; do
        wait "$number" 2>/dev/null
    done
    rm -rf "$scratch"
}
trap stop_all EXIT
me=$(id -un)
chmod 755 "$scratch"
etc=$scratch/etc
mkdir "$etc" "$scratch/state" "$scratch/spool" "$scratch/run"
port=$((20000 + $$ % 20000))

# Sockets have short names: munged takes no path beyond 107 letters.
dd if=/dev/urandom bs=1 count=1024 of="$scratch/run/key" 2>/dev/null
chmod 600 "$scratch/run/key"
munged --foreground --force --num-threads=1 --key-file="$scratch/run/key" \
    --socket="$scratch/run/m" --pid-file="$scratch/run/munged.pid" --log-file="$scratch/run/munged.log" \
    --seed-file="$scratch/run/seed" >"$scratch/munged.out" 2>&1 &
started="$!"

# write_conf PLAN STATE: slurm.conf and gres.conf of a plan; all hosts are this one, their devices
# files of our own, and what slurmd -C prints is added as the comment asks.
write_conf() {
    "$GPUPLAN" export slurm "$1" -o "gres=$etc/gres.conf" -o "nodes=$etc/nodes.conf" || return 1
    sed -i "s|File=/dev/nvidia|File=$scratch/nvidia|" "$etc/gres.conf"
    for i in 0 1 2 3 4 5 6 7; do
        : >"$scratch/nvidia$i"
    done
    cat >"$etc/slurm.conf" <<END
ClusterName=gpuplan
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=$me
SlurmdUser=$me
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$scratch/run/m
CryptoType=crypto/munge
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/run/slurmctld.pid
SlurmdPidFile=$scratch/run/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=1
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=3600
END
    sed -e "s|^\(NodeName=.*\) State=UNKNOWN|\1 CPUs=16 RealMemory=64000 NodeAddr=127.0.0.1 State=$2|" \
        "$etc/nodes.conf" >>"$etc/slurm.conf"
}

SLURM_CONF=$etc/slurm.conf
export SLURM_CONF

# wait_for SECONDS COMMAND...
wait_for() {
    left=$(($1 * 5))
    shift
    while ! "$@" >/dev/null 2>&1; do
        left=$((left - 1))
        [ $left -gt 0 ] || return 1
        sleep 0.2
    done
}

start_controller() {
    rm -rf "$scratch/state"
    mkdir "$scratch/state"
    slurmctld -D -c -f "$etc/slurm.conf" >"$scratch/slurmctld.log" 2>&1 &
    controller=$!
    started="$started $controller"
    wait_for 20 scontrol ping
}

# Another port where somebody else has taken this one.
start_plan() {
    for try in 1 2 3 4 5; do
        write_conf "$1" "$2" || return 1
        start_controller && return 0
        grep -q 'Address already in use' "$scratch/slurmctld.log" || return 1
        port=$((port + 101))
    done
    return 1
}

stop_controller() {
    kill "$controller" 2>/dev/null
    wait "$controller" 2>/dev/null
}

# ---- one machine, with its slurmd

cat >"$scratch/one.yaml" <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: one}
spec:
  candidates: [dgx-h200]
  workloads:
    - {name: "chat $(id) #SBATCH --uid=0", type: inference, model: llama-3.1-8b, traffic: {requestsPerSecond: 2, inputTokens: 500, outputTokens: 200}}
END
if start_plan "$scratch/one.yaml" UNKNOWN 2>"$scratch/log"; then
    pass "slurmctld starts with the node lines"
else
    cat "$scratch/slurmctld.log" "$scratch/munged.out" >>"$scratch/log" 2>/dev/null
    fail "slurmctld starts with the node lines" "$scratch/log"
    finish
fi
slurmd -D -c -f "$etc/slurm.conf" -N dgx-h200-1 >"$scratch/slurmd.log" 2>&1 &
started="$started $!"
idle() {
    sinfo -h -o %T | grep -q '^idle$'
}
if wait_for 20 idle; then
    pass "slurmd registers with the devices of gres.conf"
else
    sinfo >>"$scratch/slurmd.log" 2>&1
    fail "slurmd registers with the devices of gres.conf" "$scratch/slurmd.log"
fi
"$GPUPLAN" export slurm "$scratch/one.yaml" -f job >"$scratch/job.sh"
if (cd "$scratch" && sbatch --test-only job.sh true) >"$scratch/log" 2>&1; then
    pass "sbatch takes the script of a hostile name"
else
    fail "sbatch takes the script of a hostile name" "$scratch/log"
fi
# A real run: the task sees the variables and as many devices as were asked for.
ran() {
    grep -q '^TP=' "$scratch/out"
}
if (cd "$scratch" && sbatch --output="$scratch/out" --chdir="$scratch" job.sh \
    sh -c 'echo TP=$TENSOR_PARALLEL_SIZE GPUS=$SLURM_GPUS_ON_NODE') >"$scratch/log" 2>&1 &&
    wait_for 20 ran; then
    pass "the script runs its command"
else
    cat "$scratch/out" "$scratch/slurmd.log" >>"$scratch/log" 2>/dev/null
    fail "the script runs its command" "$scratch/log"
fi
# A sweep as an array with the merge behind it gives what one run gives, byte for byte.
rates=$(seq -s, 1 "${SWEEP_POINTS:-24}")
flags="--set workloads.chat.traffic.requestsPerSecond=$rates"
cp examples/minimal.yaml "$scratch/"
PATH=$(dirname "$GPUPLAN"):$PATH
(cd "$scratch" && "$GPUPLAN" export slurm minimal.yaml --sweep "${SWEEP_PARTS:-6}" $flags -o sweep.sh &&
    "$GPUPLAN" sweep minimal.yaml $flags -q -o whole.json) >"$scratch/log" 2>&1
merged() {
    [ -e "$scratch/minimal-sweep.html" ]
}
if (cd "$scratch" && SBATCH_PARTITION=dgx-h200 bash sweep.sh) >>"$scratch/log" 2>&1 && wait_for "${SWEEP_WAIT:-60}" merged &&
    cmp "$scratch/minimal-sweep.json" "$scratch/whole.json" >>"$scratch/log" 2>&1; then
    pass "a sweep as an array of jobs, merged behind them"
else
    squeue >>"$scratch/log" 2>&1
    cat "$scratch"/slurm-*.out >>"$scratch/log" 2>/dev/null
    fail "a sweep as an array of jobs, merged behind them" "$scratch/log"
fi
stop_controller

# ---- a whole plan: every script is accepted for the nodes that the plan has. No daemon stands behind
# them; as nodes of a cloud they count as there.

if start_plan examples/quickstart.yaml CLOUD 2>"$scratch/log"; then
    : >"$scratch/log"
    for workload in pretrain sft adapters chat; do
        "$GPUPLAN" export slurm examples/quickstart.yaml -w $workload -o "$scratch/$workload.sbatch"
        (cd "$scratch" && sbatch --test-only $workload.sbatch true) >"$scratch/one" 2>&1 ||
            sed "s/^/$workload: /" "$scratch/one" >>"$scratch/log"
    done
    verdict "sbatch takes the scripts of every workload" "$scratch/log"
    sed -i 's/^#SBATCH --nodes=.*/#SBATCH --nodes=999/' "$scratch/pretrain.sbatch"
    if (cd "$scratch" && sbatch --test-only pretrain.sbatch true) >"$scratch/log" 2>&1; then
        fail "sbatch refuses what the plan has not" "$scratch/log"
    else
        pass "sbatch refuses what the plan has not"
    fi
else
    cat "$scratch/slurmctld.log" >>"$scratch/log"
    fail "slurmctld starts with the nodes of a whole plan" "$scratch/log"
fi
stop_controller
finish
