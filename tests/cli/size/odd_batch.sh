# A batch that GPUs do not divide (512k tokens are 125 sequences) is laid out in stages inside a
# machine, too, and tensor parallelism crosses PCIe: no layout that is stated takes less.
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  candidates: {allow: [dgx-b200], objective: minGpus}
  workloads:
    - name: j
      type: finetune
      model: qwen3-14b
      data: {tokens: 3B, globalBatch: 512k}
      goal: {every: 7d, maxDuration: 1d}
END
plan() {
    "$GPUPLAN" size plan.yaml -f csv "$@" | cut -d, -f2,11,12 | sed 1d
}
plan
plan --set workloads.j.parallelism.tp=4
plan --set workloads.j.parallelism.tp=2
echo "## no NVLink"
pcie="--set candidates.allow=[rtx-pro-6000-8gpu] --set workloads.j.model=llama-3.1-70b"
plan $pcie --set workloads.j.goal.maxDuration=4d
plan $pcie --set workloads.j.goal.maxDuration=4d --set workloads.j.parallelism.tp=4
