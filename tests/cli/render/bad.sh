# What is no report, and what is broken in one, with its place.
code=0
printf '{"schemaVersion": "1.0.0"}\n' >a.json
"$GPUPLAN" render a.json || code=$?
printf '{"schemaVersion": "2.0.0", "summary": {"gpus": "many", "feasible": 1},\n "workloads": {}}\n' >b.json
"$GPUPLAN" render b.json || code=$?
printf '[1, 2\n' >c.json
"$GPUPLAN" render c.json || code=$?
printf 'kind: Plan\n' >d.json
"$GPUPLAN" render d.json || code=$?
"$GPUPLAN" render missing.json || code="$code $?"
echo "$code"
