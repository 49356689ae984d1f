#!/bin/sh
# The first screen of every example and template, and of plans that fail: at most 30 lines of 80
# columns with nothing cut or wrapped, and every command that it prints runs as it stands.
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
examples/two-sites.yaml --set workloads.chat.traffic.requestsPerSecond=90
examples/greenfield.yaml --set site.power.itCapacity=100kW
PLANS
}

# too_large FILE: lines beyond the screen, but for commands to paste.
too_large() {
    awk 'NR > 30 { print "line " NR ": " $0 }
        / gpuplan [a-z]+ / { next }
        length > 80 { print length " columns: " $0 }
        /\.\.( |$)/ { print "cut: " $0 }
        /^$/ { below = 0 }
        /^Checks / { below = 1 }
        below && /^ / && !/^ +(resources|network|software|power|growth|budget|\?|and raise )/ { print "wrapped: " $0 }' "$1"
}

# paste PLAN CODE: the commands of the screen run, and where the plan fails the last one, which has
# the fix in it, holds.
paste() {
    sed -n 's/^.* \(gpuplan [a-z][a-z]* .*\)$/\1/p' "$scratch/screen" |
        grep -v -e '--detail$' >"$scratch/commands" # the same plan once more
    [ -s "$scratch/commands" ] || echo "$1: no command to go on with"
    while read -r command; do
        eval "\"\$GPUPLAN\" ${command#gpuplan }" </dev/null >"$scratch/pasted" 2>&1
        code=$?
        [ "$code" -le "$2" ] || { echo "$command: exit $code"; cat "$scratch/pasted"; }
    done <"$scratch/commands"
    [ "$2" -eq 0 ] || ! grep -q '^Fix  *raise' "$scratch/screen" || [ "$code" -eq 0 ] ||
        echo "$command: does not hold with its fix"
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
