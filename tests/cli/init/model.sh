"$GPUPLAN" init --template mixed --model qwen3-8b
