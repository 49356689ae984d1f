# Flags that make no sweep are usage; a value that the spec cannot take is an input error.
cp "$ROOT/examples/minimal.yaml" .
try() {
    code=0
    "$GPUPLAN" sweep minimal.yaml "$@" 2>&1 || code=$?
    echo "exit $code"
}
rate=workloads.chat.traffic.requestsPerSecond
try
try --vary 20
try --vary 20% --set $rate=5,6
try --set $rate=5,x
try --set $rate=5,6 --metric summary.gpu
try --set $rate=5,6 --front min:recommendation
try --set $rate=5,6 --shard 3/2
try --latin 5 --vary 20%
try --set $rate=5,6 --seed 3
try --set $rate=5..6
try --random 2000000 --set $rate=5..6
try --set calibration=file:a.yaml,file:b.yaml
try --set $rate=5,6 -o sweep.svg
