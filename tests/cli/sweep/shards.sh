# Parts that were run apart give the whole, byte for byte; a part alone says what it is.
cp "$ROOT/examples/minimal.yaml" .
set_flags='--set workloads.chat.traffic.requestsPerSecond=5,20,80'
"$GPUPLAN" sweep minimal.yaml $set_flags -q -o whole.json
"$GPUPLAN" sweep minimal.yaml $set_flags --shard 1/2 -q -o one.json
"$GPUPLAN" sweep minimal.yaml $set_flags --shard 2/2 -q -o two.json
"$GPUPLAN" merge two.json one.json -q -o merged.json && cmp whole.json merged.json && echo same
"$GPUPLAN" sweep minimal.yaml --vary 30% --shard 1/3 -q -o v1.json
"$GPUPLAN" sweep minimal.yaml --vary 30% --shard 2/3 -q -o v2.json
"$GPUPLAN" sweep minimal.yaml --vary 30% --shard 3/3 -q -o v3.json
"$GPUPLAN" merge v3.json v1.json v2.json >merged.txt
"$GPUPLAN" sweep minimal.yaml --vary 30% | cmp - merged.txt && echo same
"$GPUPLAN" merge one.json 2>&1
