# A stream between two ports (perftest) gives a factor of the network and no band of collectives;
# beside collectives across machines it is left out. Which GPU it was stands in the log.
cd "$ROOT/tests/samples"
work=$OLDPWD
rows() { "$GPUPLAN" calibrate --read "$@"; }
factors() {
    "$GPUPLAN" calibrate "$@" 2>"$work/err" |
        sed -n 's/^ *- class/class/p; s/^ *\(term\|samples\)/\1/p; /factor:/s/\.[0-9]*/.N/p; s/error: .*/a band/p'
    sed -n 's/^[^ ]*:\([0-9]*:[0-9]*\): \(warning\|error\)/at \1 \2/p' "$work/err"
}
rows ib_write_bw_cuda.txt -o "$work/cuda.csv"
cat "$work/cuda.csv"
echo "== a port that gives 92 % of what it should"
factors "$work/cuda.csv"
echo "== both directions together"
sed 's/ BW Test/ Bidirectional BW Test/' ib_write_bw_cuda.txt >"$work/both.txt"
rows "$work/both.txt" --set 'network=200 Gb/s' -o "$work/both.csv"
factors "$work/both.csv"
echo "== a rate that the port does not have"
rows ib_write_bw_cuda.txt --set network=HDR -o "$work/hdr.csv"
factors "$work/hdr.csv"
echo "== two ports"
sed 's/Dual-port       : OFF/Dual-port       : ON/' ib_write_bw_cuda.txt >"$work/dual.txt"
rows "$work/dual.txt" 2>&1 | head -1 | sed 's/.*dual.txt/dual.txt/'
echo "== beside collectives across machines"
cat >"$work/all.csv" <<'RUNS'
id,gpu,collective,nodes,ranks,payload,busbw_GBps
a,NVIDIA H100 80GB HBM3,all_reduce,4,32,1 GiB,300
b,NVIDIA H100 80GB HBM3,all_gather,8,64,1 MiB,5
c,NVIDIA H100 80GB HBM3,all_gather,8,64,32 MiB,50
d,NVIDIA H100 80GB HBM3,rdma_write,2,2,1 MiB,49
e,NVIDIA H100 80GB HBM2e,all_reduce,4,32,1 GiB,300
RUNS
factors "$work/all.csv"
echo "== a plan with a calibrated port still says what its collectives rest on"
cd "$work"
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: own}
spec:
  candidates: {allow: [dgx-h100]}
  workloads:
    - name: pretrain
      type: training
      model: llama-3.1-8b
      data: {tokens: 1T tokens, sequenceLength: 8192, globalBatch: 1M tokens}
      goal: {completeWithin: 40d}
PLAN
for runs in cuda all; do
    "$GPUPLAN" calibrate $runs.csv -o $runs.yaml 2>/dev/null
    "$GPUPLAN" size plan.yaml --calibration $runs.yaml -f json | grep -c '"GP4005"' || true
done
