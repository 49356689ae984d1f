HF_ENDPOINT=http://me:pa55word@hub.example "$GPUPLAN" import hf:a/b
