cd "$ROOT"
"$GPUPLAN" explain examples/rl.yaml reasoning rl.rolloutFraction | grep -B1 -A12 -E '^(rl|rollout)'
