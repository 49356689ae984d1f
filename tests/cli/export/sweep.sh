# A sweep as an array of Slurm jobs and as an Indexed Job; what is none is refused.
cp "$ROOT/examples/minimal.yaml" "my plan.yaml"
rate=workloads.chat.traffic.requestsPerSecond
"$GPUPLAN" export slurm "my plan.yaml" --sweep 4 --set $rate=1,2,3,4,5,6 \
    --set 'workloads.chat.goal.slo.tpot=20 ms,40 ms' --front max:summary.gpus
"$GPUPLAN" export k8s "my plan.yaml" --sweep 3 --latin 40 --set $rate=5..80 --image example/gpuplan:1 \
    -o job.yaml
cat job.yaml
try() {
    code=0
    "$GPUPLAN" export "$@" 2>&1 || code=$?
    echo "exit $code"
}
try slurm "my plan.yaml" --set $rate=1,2
try slurm "my plan.yaml" --sweep 3 --set $rate=1,2
try bom "my plan.yaml" --sweep 2 --set $rate=1,2
try k8s "my plan.yaml" --sweep 2 --set $rate=1,2 --prices prices.yaml
