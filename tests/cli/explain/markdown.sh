cp "$ROOT/examples/minimal.yaml" .
"$GPUPLAN" explain minimal.yaml chat performance.tpotP95S -f markdown
