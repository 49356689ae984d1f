#!/bin/sh
# Writes docs/sites.md: clusters and machines as metered, a hall asked what it holds, two sites, and
# reference designs beside the bills that come out.
# Usage: sites.sh PROGRAM LAB FOLDER
set -eu
program=$(realpath "$1")
lab=$(realpath "$2")
page=$(realpath "$3")/sites.md
root=$(pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Eight racks that a run fills, so that all of their network is there.
pod() {
    cat <<END
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: superpod}
spec:
  cluster: {pools: [{name: racks, system: $1, count: 8}]}
  candidates: [$1]
  workloads:
    - name: pretrain
      type: training
      model: llama-3.1-405b
      data: {tokens: 1T tokens, sequenceLength: 8192, globalBatch: 9437184}
      parallelism: {tp: 8, dp: 72}
      goal: {completeWithin: 365d}
END
}

# Count of the lines of a bill with a role, or their power.
of_bill() {
    awk -F, -v role="$2" -v column="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["role"] == role { sum += $at[column] }
        END { printf "%.0f", sum }' "$1"
}

bill_row() {
    printf '| %s | %s | %s | %s | %s |\n' "$1" "$3" "$(of_bill gb200.csv "$2" count)" "$4" \
        "$(of_bill gb300.csv "$2" count)"
}

kilowatts() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { sum += $at["power_w"] } END { printf "%.2f MW", sum / 1e6 }' "$1"
}

cd "$scratch"
for rack in gb200 gb300; do
    pod $rack-nvl72 >$rack.yaml
    "$program" size $rack.yaml -f json >$rack.json 2>/dev/null
    "$program" export bom $rack.json | sed -e ':a' \
        -e 's/^\(\([^"]*"[^"]*"\)*[^"]*"[^",]*\),/\1;/;ta' | tr -d '"' >$rack.csv
done
{
    cat <<'END'
# Sites as they are built

Made by `make accuracy`; do not edit. How a site is described: [guide](guide.md), [formulas](formulas.md).

## Clusters and machines as metered

IT power at the stated state (Linpack, training, nameplate), switches and racks of published clusters; no figure is fitted to one of them.
When a machine was the nameplate of its chassis, or 1.8 times the TDP of its GPUs, the median ratio was 1.5 and 5 % of the
clusters came within 10 % (TDP × 1.3: 49 %). Now:

END
    "$lab" backtest -f markdown "$root/tests/reference/clusters.csv" </dev/null
    printf '\nMachines by themselves, by state:\n\n'
    "$lab" backtest -f markdown "$root/tests/reference/machines.csv" --by state_class </dev/null
    cat <<'END'

## A hall of 1 MW

[examples/hall.yaml](../examples/hall.yaml): 400 kW of heat may go to air and all of it to water.

```
END
    "$program" capacity "$root/examples/hall.yaml" 2>/dev/null
    printf '```\n\nThe same hall with air alone, 1 MW of it:\n\n```\n'
    "$program" capacity "$root/examples/hall.yaml" --set site.cooling.air.capacity=1MW \
        --set site.cooling.liquid.capacity=0W 2>/dev/null
    cat <<'END'
```

## Two sites, and a service over both

[examples/two-sites.yaml](../examples/two-sites.yaml): what stands in the old hall is filled first, the rest is bought where energy is
cheap; users come in at one of them, and a link leads to the other.

```
END
    "$program" size "$root/examples/two-sites.yaml" 2>/dev/null | sed '/^Next/,$d'
    "$program" size "$root/examples/two-sites.yaml" --detail --width 100 2>/dev/null |
        sed -n '/^  [a-z]* *[0-9]* DGX .* at /p' | head -3
    cat <<'END'
```

## Eight racks of GB200 and of GB300

A scalable unit of a DGX SuperPOD has eight NVL72. Published: [GB200](https://docs.nvidia.com/dgx-superpod/reference-architecture-scalable-infrastructure-gb200/latest/dgx-superpod-architecture.html)
(switches of the compute fabric, TDP of the unit with management and network). No table of a GB300
unit was read: its column is what the same rules give with 144 ports of 800 Gb/s.

| | GB200 published | planned | GB300 published | planned |
|---|---:|---:|---:|---:|
END
    bill_row 'racks of 72 GPUs' machine 8 8
    bill_row 'leaf switches' 'leaf switch' 32 -
    bill_row 'spine switches' 'spine switch' 24 -
    bill_row 'cables, machine to leaf' 'cable; machine to leaf' 576 576
    bill_row 'cables, leaf to spine' 'cable; leaf to spine' 576 -
    bill_row 'transceivers of the compute fabric' transceiver - -
    bill_row 'storage switches' 'storage switch' - -
    bill_row 'management switches' 'management switch' - -
    bill_row 'coolant distribution units' 'coolant distribution unit' - -
    printf '| power of the unit | 1.2 MW (TDP) | %s sustained | - | %s sustained |\n' \
        "$(kilowatts gb200.csv)" "$(kilowatts gb300.csv)"
} >"$page.new"
mv "$page.new" "$page"
