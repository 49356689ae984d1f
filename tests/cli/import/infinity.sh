"$GPUPLAN" import file:"$ROOT"/tests/samples/hf/nvidia--Nemotron-H-56B-Base-8K_config.json --now 2027-01-15 -q -o row.yaml
grep -e pattern: -e mamba: row.yaml
