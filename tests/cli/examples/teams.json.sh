cd "$ROOT"
"$GPUPLAN" size examples/teams.yaml -f json
