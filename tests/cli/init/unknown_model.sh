"$GPUPLAN" init --model llama-3.1-71b
