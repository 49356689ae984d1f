"$GPUPLAN" import file:"$ROOT"/tests/samples/hf/nvidia--GLM-5.1-NVFP4_config.json --now 2027-01-15
