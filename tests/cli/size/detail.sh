# How much of a report the text form shows; the answer stays first.
cp "$ROOT/examples/minimal.yaml" .
for level in answer normal all; do
    "$GPUPLAN" size minimal.yaml --detail $level >$level.txt
done
head -3 answer.txt
head -n "$(wc -l <answer.txt)" normal.txt | cmp - answer.txt
[ "$(wc -l <answer.txt)" -lt "$(wc -l <normal.txt)" ]
[ "$(wc -l <normal.txt)" -lt "$(wc -l <all.txt)" ]
