cd "$ROOT/tests/samples"
read_log() {
    echo "== $*"
    "$GPUPLAN" calibrate --read "$@"
}
read_log nccl_2.11.txt --set collective=all_reduce
read_log nccl_2.19.txt
read_log rccl_2024.txt --set collective=all_reduce --set gpu=mi300x
read_log nccl_v3.json --set ranks=16 --set nodes=2
read_log vllm.json --set gpu=h100-sxm --set precision_weights=fp8
read_log sglang.jsonl --set gpu=h100-sxm --set tp=4 --set model=llama-3.1-70b
read_log aiperf.json --set gpus=4
read_log aiperf.csv --set gpus=4 --set concurrency_or_batch=32
read_log megatron.log megatron_bridge.log --set gpu=h100-sxm --set seq_len=8192
read_log nemo.log
read_log torchtitan.log
read_log hf_trainer.log --set seq_len=2048 --set gpus=8
read_log megatron.log --as megatron-memory
read_log torchtitan.log --as torchtitan-memory
read_log dcgm_dmon.txt --set gpu=h100-sxm
read_log nvidia_smi.csv
read_log ib_write_bw.txt ib_write_bw_mib.txt
read_log sacct.txt
