# How likely a plan is to hold: errors drawn from the bands of its estimates, the same in parts.
cp "$ROOT/examples/quickstart.yaml" .
flags='--set defaults.confidence=expected,p80,p90 --draws 1000 --seed 3'
"$GPUPLAN" sweep quickstart.yaml $flags
"$GPUPLAN" sweep quickstart.yaml $flags -q -o whole.json
for i in 1 2; do
    "$GPUPLAN" sweep quickstart.yaml $flags --shard $i/2 -q -o part$i.json
done
"$GPUPLAN" merge part1.json part2.json -q -o merged.json && cmp whole.json merged.json && echo same
