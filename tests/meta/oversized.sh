#!/bin/sh
# No example and no template is planned with replicas that its own simulation can spare, or with
# fewer than it asks for: one fewer misses a goal, or the plan says why they are there all the same.
. "$ROOT/tests/lib.sh"

for kind in inference mixed company; do
    "$GPUPLAN" init --template "$kind" >"$scratch/$kind.yaml"
done
for file in examples/*.yaml "$scratch"/*.yaml; do
    "$GPUPLAN" size "$file" -f json -q </dev/null 2>/dev/null |
        grep -o '"summary": *"p95 [^"]* at a request rate of [^"]*"' |
        sed 's/^"summary": *"\(.*\)"$/\1/' |
        sed "s|^|$(basename "$file"): |"
done >"$scratch/said"
grep -v '/s[^:]*: all goals met[;.]' "$scratch/said" >"$scratch/missed" || :
verdict "simulation holds with the replicas of every plan" "$scratch/missed"
grep '; with .*: all goals met' "$scratch/said" |
    grep -v '; with .*: all goals met, [bi]' >"$scratch/spared" || :
verdict "and not with one fewer" "$scratch/spared"
{ [ "$(grep -c '; with .*: a goal missed\|; with .*: the queue' "$scratch/said")" -ge 15 ] &&
    [ "$(wc -l <"$scratch/said")" -ge 30 ]; } ||
    echo "$(wc -l <"$scratch/said") plans are too few to say" >"$scratch/few"
: >>"$scratch/few"
verdict "enough plans are simulated with one fewer" "$scratch/few"
finish
