#!/bin/sh
# Writes docs/wide-ep.md: large mixture-of-experts services as published and as planned, GPUs over
# the width of expert parallelism, and one decode step taken apart.
# Usage: wide_ep.sh PROGRAM LAB FOLDER
set -eu
program=$(realpath "$1")
lab=$(realpath "$2")
page=$(realpath "$3")/wide-ep.md
runs=$(realpath tests/reference/deployments.csv)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

cat >wide-ep.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: wide-ep}
spec:
  defaults: {confidence: expected, headroom: {gpus: 0}}
  cluster:
    pools: [{name: own, count: 0, system: dgx-h100}]
  candidates: {allow: [own], objective: minGpus, limits: {maxNodes: 10000}}
  workloads:
    - name: decode
      type: inference
      model: deepseek-v3
      disaggregated: decode
      traffic: {requestsPerSecond: {mean: 5000, peak: 5000}, inputTokens: 2000, outputTokens: 1000}
      goal: {slo: {tpot: 100 ms}}
      precision: {kvCache: fp8}
      parallelism: {mode: explicit, tp: 1, dp: 64, ep: 64}
      software: {tuning: tuned}
END

# Lines of figures of GPUs: id, published, planned, what was chosen.
planned() {
    "$lab" backtest "$runs" -f csv --confidence "$1" --tuning "$2" |
        awk -F, '$3 == "gpus" && $9 == "scored" { print $1 "," $4 "," $5 "," $10 }'
}

# What the tree of 2026-11-20 (d548dd45), the last before layouts of several machines, planned for the
# same specs: id,GPUs. It knew limits of the 95th percentile alone, had no pool by itself (the pool of
# a pair is counted) and no H800 (an H100 stands in).
planned_before() {
    tr ' ' '\n' <<'END'
ml-009,10 sv-001,10848 sv-002,48 sv-003,1376 sv-004,80 sv-005,80 sv-006,80 sv-007,80
sv-009,448 sv-011,1312 sv-022,296 sv-023,184 sv-024,352 sv-025,8 sv-026,12 sv-027,162
sv-029,148 sv-030,140 sv-031,140 sv-032,112 sv-033,184 sv-034,160 sv-035,180 sv-036,140
sv-042,8 sv-047,78 sv-048,82 sv-054,11 sv-055,10 sv-056,11 sv-057,103 sv-060,16 sv-061,40
sv-062,8
END
}

services() {
    echo '| service | model | GPU | pool | published | planned before | expected, tuned | p80, typical | layout chosen |'
    echo '|---|---|---|---|---:|---:|---:|---:|---|'
    planned_before >before.csv
    planned expected tuned >best.csv
    planned p80 typical >safe.csv
    awk -F, 'FILENAME == "before.csv" { before[$1] = $2; next }
        FILENAME == "best.csv" { published[$1] = $2; best[$1] = $3; layout[$1] = $4; next }
        FILENAME == "safe.csv" { safe[$1] = $3; next }
        $1 in best {
            printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", $1, $2, $8, $12,
                published[$1], $1 in before ? before[$1] : "-", best[$1], safe[$1], layout[$1]
        }' before.csv best.csv safe.csv "$runs"
}

# Machines and their GPUs for one width; a dash where the goal cannot be kept.
gpus() {
    "$program" sweep wide-ep.yaml -f csv --set "spec.workloads.decode.parallelism.dp=$1" \
        --set "spec.workloads.decode.parallelism.ep=$1" \
        --set spec.cluster.pools.own.system=dgx-h100,dgx-h200,gb200-nvl72 |
        awk -F, 'NR > 1 { print $2, ($3 == "true" ? $6 : "-") }'
}

chart() {
    echo 'width   machine        GPUs'
    for ep in 8 16 32 64 96 128 144 256; do
        gpus $ep | awk -v ep=$ep '{
            bar = ""
            for (i = 0; i < $2 / 64; i++) bar = bar "#"
            line = sprintf("EP%-5s %-12s %6s  %s", ep, $1, $2, bar)
            sub(/ +$/, "", line)
            print line
        }'
    done
}

{
    cat <<'END'
# Services of large mixtures of experts

Made by `make accuracy`; do not edit.

## As published and as planned

Each service of `tests/reference/deployments.csv` as a spec of its columns, sized free on its kind of GPU for the published load within the
published latencies, without headroom. A row that gives rates per GPU alone is taken as a rack of 72. Tests at full load are best-in-class
runs: *expected, tuned* is the fair comparison, *p80, typical* what a plan asks for by default. Layouts are attention tensor parallelism x
attention data parallelism, experts dealt out to EP parts. *Planned before* is the same spec, expected and tuned, in the tree before layouts
of several machines were searched (2026-11-20, d548dd45), which knew limits of the 95th percentile alone, no prefill or decode pool by
itself (the pool of a pair is counted) and no H800 (an H100 stands in).

END
    services
    cat <<'END'

## GPUs over the width of expert parallelism

DeepSeek-V3, decode alone, 5,000 requests a second of 2,000 tokens in and 1,000 out, 100 ms per token at the 95th percentile, 8-bit
cache, expected value, tuned. A mark is 64 GPUs. Narrow layouts leave little memory for caches where a GPU has 80 GB; wide ones read
fewer experts per GPU and exchange more over the network, which racks of 72 do within their links.

```
END
    chart
    cat <<'END'
```

## A decode step taken apart

The width of 64 on DGX H100: `gpuplan explain wide-ep.yaml decode decodeStepTime`. The four terms add up to the step.

```
END
    "$program" explain wide-ep.yaml decode decodeStepTime |
        awk '/^decodeStepTime/ { on = 1 }
            /^weightsRead/ { exit }
            !on || /^        / { next }
            { sub(/ \((catalog|spec|term|derived|default).*/, "") }
            NR > 1 && held != "none" { print held }
            { held = $0 }
            BEGIN { held = "none" }'
    cat <<'END'
```

The spec:

```yaml
END
    cat wide-ep.yaml
    echo '```'
} >page.new
mv page.new "$page"
