cd "$ROOT"
for file in examples/*.yaml; do "$GPUPLAN" validate "$file"; done
