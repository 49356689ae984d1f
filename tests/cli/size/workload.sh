# One workload reported, all of them planned.
cp "$ROOT/examples/quickstart.yaml" .
"$GPUPLAN" size quickstart.yaml -w chat -f json | grep -o '"/workloads/[0-9]*' | sort | uniq -c | awk '{ print $2 }'
"$GPUPLAN" size quickstart.yaml -w chat -w sft
