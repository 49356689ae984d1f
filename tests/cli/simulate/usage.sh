spec=$ROOT/examples/inference-site.yaml
try() {
    "$GPUPLAN" simulate "$@" || echo "exit $?" >&2
}
try "$spec"
try "$spec" -w agnts
try "$spec" -w agents --rate-scale 0
try "$spec" -w agents --rate-scale nan
try "$spec" -w agents --outage 1
try "$spec" -w agents --outage 99@1+1
try "$spec" -w agents --autoscale 5:2
try "$spec" -w agents --router nearest
try "$spec" -w agents -o run.xlsx
try "$spec" -w agents --set workloads.agents.traffic.requestsPerSecond=1,2
try "$ROOT/examples/quickstart.yaml" -w sft
try "$ROOT/examples/pretrain-405b.yaml"
