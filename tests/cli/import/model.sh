"$GPUPLAN" import file:"$ROOT"/tests/samples/hf/moonshotai--Kimi-K3_config.json --now 2027-01-15 >kimi.yaml
"$GPUPLAN" catalog lint kimi.yaml >/dev/null
cat kimi.yaml
