# NaN, infinity, negative and zero where they make no sense: all reported, nothing assumed.
cp "$ROOT/examples/minimal.yaml" .
for value in .nan nan .inf -.inf 1e400 -5 0 0x10 1,000 1_000; do
    echo "== $value"
    code=0
    "$GPUPLAN" validate minimal.yaml \
        --set "workloads.chat.traffic.outputTokens=\"$value\"" 2>message || code=$?
    sed -n '1s/.*error: /error: /p' message
    echo "exit $code"
done
