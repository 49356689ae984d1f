# What each number of the spec moves; --set takes its number out, prose says how many do nothing.
cp "$ROOT/examples/minimal.yaml" .
"$GPUPLAN" sweep minimal.yaml --vary 20%
"$GPUPLAN" sweep minimal.yaml --vary 50% --set workloads.chat.traffic.inputTokens=800 -f markdown
