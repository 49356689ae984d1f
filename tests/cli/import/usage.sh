for operand in Qwen/Qwen3-8B hf: hf:a/b/c 'hf:a b' hf:../x "hf:a/b@"; do
    "$GPUPLAN" import "$operand" && exit 1
    [ $? -eq 2 ]
done
"$GPUPLAN" import
