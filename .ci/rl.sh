#!/bin/sh
# Writes docs/rl.md: one plan of reinforcement learning on two kinds of machines, and published steps
# beside the estimates.
# Usage: rl.sh PROGRAM FOLDER
set -eu
program=$(realpath "$1")
page=$(realpath "$2")/rl.md
root=$(pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

workload() {
    "$program" size "$root/examples/rl.yaml" --set "candidates.allow=[$1]" --detail |
        sed -n '/^reasoning: rl/,/^$/p'
}

# Rows of the table of published steps, from report to Markdown.
rows() {
    "$program" backtest "$root/tests/reference/rl.csv" -f csv | awk -F, -v keep="$1" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["metric"] == "step_s" && $at["id"] ~ keep {
            printf "%s,%s,%s\n", $at["id"], $at["measured"], $at["estimated"]
        }' | while IFS=, read -r id measured estimated; do
        awk -F, -v id="$id" -v m="$measured" -v e="$estimated" '
            NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            $1 == id {
                printf "| %s | %s | %s | %s | %s | %.0f s | %.0f s | %+.0f %% |\n",
                    $at["model"], $at["gpu"], $at["gpus_total"],
                    $at["colocated"] == "yes" ? "colocated" : "apart, " $at["policy_lag"] " ahead",
                    $at["framework"] " " $at["framework_version"], m, e, 100 * (e / m - 1)
                exit
            }' "$root/tests/reference/rl.csv"
    done
}

cd "$scratch"
{
    cat <<'END'
# Reinforcement learning

Made by `make accuracy`; do not edit. `type: rl` plans GRPO, DAPO, PPO and online DPO ([spec](spec-reference.md), [formulas](formulas.md#reinforcement-learning)).

## One plan, two kinds of machines

[examples/rl.yaml](../examples/rl.yaml): 1,000 steps of 64 prompts with 32 answers each, Qwen3-30B-A3B, in five days. NVIDIA's NeMo RL tables
have such steps at 192 to 225 s on 32 H100 (192 GPUs, generation eight steps ahead: 34.5 s) and at 221 to 232 s on 16 GB200.

On DGX H100 (`--set 'candidates.allow=[dgx-h100]'`):

```
END
    workload dgx-h100
    printf '```\n\nOn GB200 NVL72:\n\n```\n'
    workload gb200-nvl72
    cat <<'END'
```

## Published steps at their own layouts

Lengths, layouts and batches as published, software `typical`; nothing is fitted to these rows. The band of a step is `plan.band.rl`.

| model | GPU | GPUs | pools | framework | published | estimated | error |
|---|---|---:|---|---|---:|---:|---:|
END
    rows '^(nemo|verl-dpsk)'
    cat <<'END'

NeMo RL publishes the mean length of answers, so the whole of the difference is the estimate's. Most others publish the limit alone:
their rows ([accuracy](accuracy.md)) rest on an assumed mean, and err by as much as it does.
END
} >"$page"
