# Points drawn from a list and from ranges: the same for any number of threads, and in parts.
cp "$ROOT/examples/minimal.yaml" .
set_flags='--set workloads.chat.traffic.requestsPerSecond=5..80
    --set workloads.chat.precision.weights=bf16,fp8'
"$GPUPLAN" sweep minimal.yaml --latin 8 $set_flags
"$GPUPLAN" sweep minimal.yaml --random 16 --seed 7 $set_flags -j 1 -q -o one.csv -o whole.json
"$GPUPLAN" sweep minimal.yaml --random 16 --seed 7 $set_flags -j 3 -q -o three.csv
cmp one.csv three.csv && echo same
for i in 1 2 3; do
    "$GPUPLAN" sweep minimal.yaml --random 16 --seed 7 $set_flags --shard $i/3 -q -o part$i.json
done
"$GPUPLAN" merge part2.json part3.json part1.json -q -o merged.json
cmp whole.json merged.json && echo same
# What was written by another hand is read as well.
tr -d '\n' <part2.json >flat.json
"$GPUPLAN" merge part1.json flat.json part3.json -q -o flat_merged.json
cmp whole.json flat_merged.json && echo same
