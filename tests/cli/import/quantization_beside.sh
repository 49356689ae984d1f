cp "$ROOT"/tests/samples/hf/nvidia--DeepSeek-V3.1-NVFP4_config.json config.json
cp "$ROOT"/tests/samples/hf/nvidia--DeepSeek-V3.1-NVFP4_hf_quant_config.json hf_quant_config.json
SOURCE_DATE_EPOCH=1800000000 "$GPUPLAN" import file:config.json --name ours/DeepSeek -o row.yaml
grep -e id: -e aliases: -e weights: -e date: row.yaml
