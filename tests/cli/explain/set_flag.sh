cp "$ROOT/examples/minimal.yaml" .
"$GPUPLAN" explain minimal.yaml chat --set workloads.chat.traffic.outputTokens=600 | grep -c 'flag'
