printf 'time,ContextTokens,GeneratedTokens\n1,2,3\n' |
    "$GPUPLAN" simulate "$ROOT/examples/quickstart.yaml" --trace -
