# One workload reported, all of them planned.
cp "$ROOT/examples/quickstart.yaml" .
"$GPUPLAN" size quickstart.yaml -w chat -f json | sed -n '/^  "workloads"/,/^  ]/p' | grep -E '^ {6}"(name|provenance)": '
"$GPUPLAN" size quickstart.yaml -w chat -w sft
