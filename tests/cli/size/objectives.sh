cp "$ROOT/examples/greenfield.yaml" .
for objective in minCost minPower minGpus minTime; do
    "$GPUPLAN" size greenfield.yaml --objective $objective -f json | grep -o '"objective": *"[A-Za-z]*"'
done
