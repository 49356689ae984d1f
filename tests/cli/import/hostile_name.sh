cp "$ROOT"/tests/samples/hf/Qwen--Qwen3-0.6B_config.json 'a: [b
- c]_config.json'
"$GPUPLAN" import 'file:a: [b
- c]_config.json' --now 2027-01-15 -q -o row.yaml
"$GPUPLAN" catalog lint row.yaml >/dev/null
grep -e id: -e aliases: -e source: row.yaml
