"$GPUPLAN" completion bash
