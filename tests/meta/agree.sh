#!/bin/sh
# `diff` says of the newer side what `check` says, and exits as it does, whatever number of an
# example is made larger or smaller: the verdict of both comes from one evaluation.
. "$ROOT/tests/lib.sh"
need awk

# numbers FILE: lines of the spec that hold a number to change.
numbers() {
    awk '/^spec:/ { on = 1 } on && /: *[0-9]/ && !/date|year|20[0-9][0-9]-/ { print NR }' "$1"
}

# change FILE LINE FACTOR: the first number of that line times the factor, whole where it was.
change() {
    awk -v line="$2" -v factor="$3" 'NR == line && match($0, /: *[0-9][0-9.]*/) {
        text = substr($0, RSTART, RLENGTH)
        head = text; sub(/[0-9].*/, "", head)
        value = substr(text, length(head) + 1)
        new = value * factor
        if (value !~ /\./ && new >= 1) new = int(new)
        $0 = substr($0, 1, RSTART - 1) head new substr($0, RSTART + RLENGTH)
    } { print }' "$1"
}

: >"$scratch/complaints"
pairs=0
held=0
failed=0
for base in minimal hall media vision retrieval rl chat-fleet lora-fleet pretrain-405b quickstart; do
    lines=$(numbers "examples/$base.yaml")
    step=$((1 + $(echo "$lines" | wc -w) / 3))
    at=0
    for line in $lines; do
        at=$((at + 1))
        [ $((at % step)) -eq 1 ] || [ "$step" -eq 1 ] || continue
        factor=$([ $((at / step % 2)) -eq 0 ] && echo 3 || echo 0.4)
        change "examples/$base.yaml" "$line" "$factor" >"$scratch/head.yaml"
        said=0
        told=0
        "$GPUPLAN" check "$scratch/head.yaml" -q </dev/null >/dev/null 2>&1 || said=$?
        "$GPUPLAN" diff "examples/$base.yaml" "$scratch/head.yaml" -f json </dev/null \
            >"$scratch/diff.json" 2>/dev/null || told=$?
        [ "$said" -eq "$told" ] ||
            echo "$base.yaml, line $line x $factor: check exits $said, diff $told" \
                >>"$scratch/complaints"
        pairs=$((pairs + 1))
        [ "$told" -ne 0 ] || { held=$((held + 1)) && grep -q '"headVerdict": "holds"' \
            "$scratch/diff.json" || echo "$base.yaml, line $line: exits 0 and does not hold" \
            >>"$scratch/complaints"; }
        [ "$told" -ne 1 ] || { failed=$((failed + 1)) && grep -q '"headVerdict": "fails"' \
            "$scratch/diff.json" || echo "$base.yaml, line $line: exits 1 and does not fail" \
            >>"$scratch/complaints"; }
    done
done
verdict "diff and check agree on generated changes" "$scratch/complaints"
{ [ "$pairs" -ge 25 ] && [ "$held" -ge 5 ] && [ "$failed" -ge 5 ]; } ||
    echo "$pairs pairs, $held hold and $failed fail: too few to say" >"$scratch/few"
: >>"$scratch/few"
verdict "enough of them hold and enough fail" "$scratch/few"
finish
