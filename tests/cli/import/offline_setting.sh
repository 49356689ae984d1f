HF_HUB_OFFLINE=1 "$GPUPLAN" import hf:a/b
