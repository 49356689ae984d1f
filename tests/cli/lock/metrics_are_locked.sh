# What asks a metrics server plans first, from the lock where it is told to: nothing is sent when the
# lock is stale.
cp "$ROOT"/tests/samples/lock/gpuplan.lock .
sed 's/example.Ours-8B/Qwen\/Qwen3-8B/' "$ROOT"/tests/samples/lock/plan.yaml >plan.yaml
for command in observe calibrate; do
    "$GPUPLAN" $command plan.yaml --prometheus http://127.0.0.1:9 --locked 2>&1 || echo "exit $?"
done
"$GPUPLAN" calibrate runs.csv --locked 2>&1 || echo "exit $?"
