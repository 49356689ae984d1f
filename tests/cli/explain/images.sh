cd "$ROOT"
"$GPUPLAN" explain "examples/vision.yaml" documents ttftP95S | sed -n '/^imageTokens/,/^$/p;/^visionTowerTime/,/^$/p;/^prefillGemmTime/,/^$/p'
