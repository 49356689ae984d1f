# A collective over GPUs of two kinds is that of neither.
sed '0,/80GB HBM3/s//PCIe/' "$ROOT/tests/samples/nccl_2.19.txt" >two.txt
"$GPUPLAN" calibrate --read two.txt 2>&1 | head -4 || true
sed 's/"device_info": "NVIDIA H100 80GB HBM3"}/&, {"rank": 1, "hostname": "b", "device_info": "NVIDIA L4"}/' \
    "$ROOT/tests/samples/nccl_v3.json" >two.json
"$GPUPLAN" calibrate --read two.json --set ranks=16 2>&1 | grep -c 'GPUs of several kinds'
