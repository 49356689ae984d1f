cp "$ROOT/tests/samples/nccl_v4.json" "$ROOT/tests/samples/vllm_old.json" "$ROOT/tests/samples/nccl_2.11.txt" "$ROOT/tests/samples/megatron.log" "$ROOT/tests/samples/sglang.jsonl" .
refuse() {
    "$GPUPLAN" calibrate --read "$@" 2>&1 && echo "read: $*"
    return 0
}
refuse nccl_v4.json
refuse vllm_old.json --as vllm
refuse nccl_2.11.txt
refuse sglang.jsonl
refuse megatron.log --set modle=x
refuse megatron.log nccl_2.11.txt --set collective=all_reduce
printf 'nothing that is known\n' >log
refuse log
sed 's/time   algbw/cputime   algbw/' nccl_2.11.txt >cpu.txt
refuse cpu.txt --set collective=all_reduce
sed 's/ 65536 .*/ 65536 16384 float sum 1 2 3 4 5 6 7 8/' nccl_2.11.txt >odd.txt
refuse odd.txt --set collective=all_reduce
printf '#Entity TENSO\nGPU 0 1\n' >dmon.txt
refuse dmon.txt
printf ' #bytes #iterations BW peak[kB/sec] BW average[kB/sec] MsgRate\n 2 3 4 5 6\n' >bw.txt
refuse bw.txt
