"$GPUPLAN" catalog show model hf:Qwen/Qwen3-32B
