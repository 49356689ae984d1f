"$GPUPLAN" simulate "$ROOT/examples/quickstart.yaml" --trace "$ROOT/examples/traces/azure-conversation-600.csv" -q
"$GPUPLAN" simulate "$ROOT/examples/quickstart.yaml" --requests 400 --process poisson --seed 3
# Whatever was said before, the same seed says it again.
"$GPUPLAN" simulate "$ROOT/examples/quickstart.yaml" --requests 400 --process poisson --seed 3 >again
"$GPUPLAN" simulate "$ROOT/examples/quickstart.yaml" --requests 400 --process poisson --seed 3 -f text | cmp - again
