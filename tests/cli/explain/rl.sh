cd "$ROOT"
"$GPUPLAN" explain examples/rl.yaml reasoning rl.rolloutFraction
"$GPUPLAN" explain examples/rl.yaml reasoning performance.stepTimeS | head -40
