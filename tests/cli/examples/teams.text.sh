cd "$ROOT"
"$GPUPLAN" size examples/teams.yaml --detail
