# What is no question, and a plan of nothing; each with its exit code.
cp "$ROOT/examples/hall.yaml" .
sed '/^  workloads:/,$d' hall.yaml >bare.yaml
try() {
    code=0
    "$GPUPLAN" "$@" 2>&1 || code=$?
    echo "exit $code"
}
try validate bare.yaml
try size bare.yaml
try capacity bare.yaml --power '5 apples'
try capacity bare.yaml --racks 0
try capacity bare.yaml -o capacity.pdf
try capacity bare.yaml --set site.racks.count=3,4
try capacity
