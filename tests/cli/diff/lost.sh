# A change after which nothing allowed holds a workload is told as that, not as GPUs saved.
"$GPUPLAN" init --template inference >base.yaml
sed 's/ttft: 2 s/ttft: 1 ms/' base.yaml >head.yaml
"$GPUPLAN" diff base.yaml head.yaml -f markdown >comment.md || echo "exit $?"
sed -n '1,6p' comment.md
grep -c 'GPUs (-' comment.md || test $? -eq 1
grep 'requestsPerSecond\|ttft' comment.md
