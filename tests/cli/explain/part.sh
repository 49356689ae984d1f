cd "$ROOT"
"$GPUPLAN" explain examples/small-services.yaml titles recommendation.chosen.gpuFraction | sed -n '/^gpuPart/,/^$/p'
