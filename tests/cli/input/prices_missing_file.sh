sed 's/^spec:/spec:\n  costs: {prices: ["file:.\/quote.yaml"]}/' "$ROOT/examples/minimal.yaml" >plan.yaml
"$GPUPLAN" size plan.yaml
