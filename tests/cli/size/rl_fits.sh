# Machines that trainers publish as enough for a model (verl: docs/perf/device_tuning.rst, dpsk.md):
# the plan runs there, and full updates of 7 and 14 billion on half of them do not.
fits() { # NAME MODEL SYSTEM GPUS OPTIONS
    cat >plan.yaml <<Y
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: fits}
spec:
  cluster: {pools: [{name: own, system: $3, count: $4}]}
  candidates: {allow: [own], limits: {maxNodes: $4}}
  workloads:
    - name: w
      type: rl
      model: $2
      rl: {promptsPerStep: 64, samplesPerPrompt: 8, steps: 10, promptTokens: 200, responseTokens: {mean: 1000, peak: 1848}}
      goal: {completeWithin: 4000d}
Y
    name=$1
    shift 4
    if "$GPUPLAN" size plan.yaml -f json "$@" >out.json 2>/dev/null; then
        echo "$name runs"
    else
        echo "$name does not: $(grep -o 'short of memory[^:"]*' out.json | head -1)"
    fi
}
part() { echo "--set=cluster.pools[0].overrides.gpus=$1 --set=cluster.pools[0].overrides.domain=$1"; }
lora='--set=workloads.w.adapter.rank=32'
h20='--set=cluster.pools[0].overrides.gpu=h20'
fits "0.5B, adapter, 1 H100" qwen2.5-0.5b dgx-h100 1 $lora $(part 1)
fits "7B, full, 2 H800" qwen2.5-7b alibaba-hpn7-host 1 $(part 2)
fits "7B, full, 1 H800" qwen2.5-7b alibaba-hpn7-host 1 $(part 1)
fits "7B, adapter, 1 H100" qwen2.5-7b dgx-h100 1 $lora $(part 1)
fits "14B, full, 4 H800" qwen2.5-14b alibaba-hpn7-host 1 $(part 4)
fits "14B, full, 2 H800" qwen2.5-14b alibaba-hpn7-host 1 $(part 2)
fits "32B, full, 8 H20" qwen2.5-32b dgx-h100 1 $h20
fits "32B, adapter, 4 H100" qwen2.5-32b dgx-h100 1 $lora $(part 4)
fits "72B, full, 32 H800" qwen2.5-72b alibaba-hpn7-host 4
fits "72B, adapter, 8 H100" qwen2.5-72b dgx-h100 1 $lora
fits "DeepSeek-V3, full, 96 H20, optimizer on hosts" deepseek-v3 dgx-h100 12 $h20 --set=workloads.w.offload=optimizer
fits "DeepSeek-V3, full, 96 H20" deepseek-v3 dgx-h100 12 $h20
fits "DeepSeek-V3, full, 256 H20" deepseek-v3 dgx-h100 32 $h20
