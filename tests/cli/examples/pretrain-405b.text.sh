cd "$ROOT"
"$GPUPLAN" size examples/pretrain-405b.yaml --detail
