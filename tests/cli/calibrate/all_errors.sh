# What is wrong with rows and files is told in one run, all of it.
samples=$ROOT/tests/samples
read_log() { "$GPUPLAN" calibrate --read "$@" 2>&1 | sed '/^ *[0-9]* *|/d; /^ *|/d' || true; }
sed 's/ 24.50 /  2.50 /; s/ 56.19 / x /' "$samples/nccl_2.11.txt" >nccl.txt
read_log nccl.txt --set collective=all_reduce
sed 's/392.00/-/; s/^ 1048576.*/&\n 65536 5 1 -3 4/' "$samples/ib_write_bw.txt" >bw.txt
read_log bw.txt
sed 's/"completed": [0-9]*/"completed": 0/' "$samples/vllm.json" >none.json
sed 's/"median_ttft_ms": [0-9.]*/"median_ttft_ms": -5/' "$samples/vllm.json" >below.json
head -c 400 "$samples/sglang.jsonl" >cut.jsonl
{ echo && sed 1d "$samples/sglang.jsonl" | sed 's/"completed"/"ended"/'; } >>cut.jsonl
read_log none.json below.json cut.jsonl --set tp=4
read_log "$samples/megatron.log" --set gpus=-3 --set tp=two --set pp=1.5 --set mbs=0.5
