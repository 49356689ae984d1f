# The first fix of a workload that finds no place names what is in its way, and holds: pools that no
# traffic sizes, a precision that the GPUs lack, a rack that takes no machine, a limit of machines.
plan() {
    printf 'apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: %s}\nspec:\n' "$1" >"$1.yaml"
    cat >>"$1.yaml"
}
fix() {
    "$GPUPLAN" size "$@" | sed -n '1p;/^Fix/,/^$/p'
}
plan pools <<'PLAN'
  workloads:
    - {name: chat, type: inference, model: qwen3-32b, disaggregated: true}
PLAN
plan precision <<'PLAN'
  candidates: [dgx-a100]
  workloads:
    - {name: chat, type: finetune, model: gemma-3-12b, data: {tokens: 2961M}, precision: fp8}
PLAN
plan racks <<'PLAN'
  site: {racks: {maxPower: 23 kW}}
  cluster: {pools: [{name: p, system: dgx-h200, count: 1, inUse: 1}]}
  candidates: [gb200-nvl72]
  workloads:
    - {name: tune, type: training, model: qwen3-1.7b, data: {tokens: 36B}}
PLAN
plan shared <<'PLAN'
  site: {racks: {maxPower: 23 kW}}
  cluster: {pools: [{name: p0, system: dgx-h200, count: 3, inUse: 1}]}
  candidates: [gb200-nvl72]
  workloads:
    - name: search
      type: inference
      model: qwen2.5-72b
      traffic: {requestsPerSecond: 0.3, inputTokens: {mean: 1061}, outputTokens: {mean: 326, p95: 1300}}
      goal: {slo: {e2e: 22000 ms}}
    - {name: tune, type: training, model: qwen3-1.7b, data: {tokens: 36B}}
    - {name: vis, type: lora, model: mistral-7b, data: {tokens: 51M}}
PLAN
fix pools.yaml || true
fix pools.yaml --set workloads.chat.disaggregated=auto
fix precision.yaml || true
fix precision.yaml --set workloads.chat.precision.compute=bf16
fix racks.yaml || true
fix racks.yaml --set 'site.racks.maxPower=132 kW'
fix shared.yaml || true
fix shared.yaml --set 'site.racks.maxPower=132 kW'
