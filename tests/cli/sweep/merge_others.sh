# What is no part of one sweep is refused, with what is different; each is exit 3.
cp "$ROOT/examples/minimal.yaml" a.yaml
sed 's/inputTokens: 1500/inputTokens: 900/' a.yaml >b.yaml
flags='--set workloads.chat.traffic.requestsPerSecond=5,20'
"$GPUPLAN" sweep a.yaml $flags --shard 1/2 -q -o a1.json
"$GPUPLAN" sweep b.yaml $flags --shard 2/2 -q -o b2.json
"$GPUPLAN" sweep a.yaml $flags --shard 2/2 --metric summary.racks -q -o m2.json
"$GPUPLAN" sweep a.yaml ${flags%0}1 --shard 2/2 -q -o v2.json
"$GPUPLAN" size a.yaml -q -o report.json
echo '{"schemaVersion": "2.0", "study": "grid", "points": 3}' >bad.json
for other in a1.json b2.json m2.json v2.json report.json bad.json none.json; do
    code=0
    "$GPUPLAN" merge a1.json $other 2>&1 || code=$?
    echo "$other: $code"
done
