#!/bin/sh
# The first screen of every example and template, and of plans that fail: at most 30 lines of 80
# columns with nothing cut, and every command that it prints runs as it stands.
. "$ROOT/tests/lib.sh"
need awk

# plans: a file and the settings that make it fail, one plan a line.
plans() {
    for file in examples/*.yaml; do
        echo "$file"
    done
    for template in inference pretrain finetune lora mixed company; do
        "$GPUPLAN" init --template "$template" >"$scratch/$template.yaml"
        echo "$scratch/$template.yaml"
    done
    cat <<'PLANS'
examples/quickstart.yaml --set workloads.chat.goal.slo.tpot=2ms
examples/quickstart.yaml --set workloads.pretrain.goal.completeWithin=6d
examples/quickstart.yaml --set site.power.itCapacity=90kW
examples/two-sites.yaml --set workloads.chat.traffic.requestsPerSecond=90
examples/inference-site.yaml --set site.power.itCapacity=100kW
examples/inference-site.yaml --set site.racks.count=2
examples/greenfield.yaml --set site.power.itCapacity=100kW
examples/lora-fleet.yaml --set workloads.tenants.goal.maxDuration=10min
PLANS
    echo "$scratch/company.yaml --set site.power.itCapacity=20kW"
}

# too_large FILE: lines beyond the screen, but for commands to paste.
too_large() {
    awk 'NR > 30 { print "line " NR ": " $0 }
        / gpuplan [a-z]+ / { next }
        length > 80 { print length " columns: " $0 }
        /\.\.( |$)/ { print "cut: " $0 }' "$1"
}

# paste PLAN: the commands of the screen answer yes or no, as the plan itself does.
paste() {
    sed -n 's/^.* \(gpuplan [a-z][a-z]* .*\)$/\1/p' "$scratch/screen" >"$scratch/commands"
    [ -s "$scratch/commands" ] || echo "$1: no command to go on with"
    while read -r command; do
        eval "\"\$GPUPLAN\" ${command#gpuplan }" </dev/null >"$scratch/pasted" 2>&1
        code=$?
        [ "$code" -le "$2" ] || { echo "$command: exit $code"; cat "$scratch/pasted"; }
    done <"$scratch/commands"
}

plans >"$scratch/plans"
while read -r plan; do
    # shellcheck disable=SC2086 # a file and its settings are words
    "$GPUPLAN" size $plan </dev/null >"$scratch/screen"
    code=$?
    {
        [ "$code" -le 1 ] || echo "size $plan: exit $code"
        too_large "$scratch/screen"
        paste "$plan" "$code"
    } >"$scratch/complaints"
    verdict "first screen of $(echo "$plan" | sed "s|$scratch/|init |")" "$scratch/complaints"
done <"$scratch/plans"
finish
