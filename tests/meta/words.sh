#!/bin/sh
# What a user reads keeps to one vocabulary; `make messages` prints all of it.
. "$ROOT/tests/lib.sh"
need "$PYTHON"

crooked() {
    grep -nEi ' (is|are) due\b|closed form|keeps? to all|any pleas|\bplease\b|stood to|what is declared|whereof|[a-z] \.$|[a-z]  [a-z].*\.$|does not launch|utilis|optimis|\bfiber\b|catalog of|\bwhat stands\b' "$1" |
        grep -v '\\n' || true
}

"$PYTHON" .ci/messages.py | sed 's/^[^ ]*: //' >"$scratch/messages"
[ "$(wc -l <"$scratch/messages")" -gt 2000 ] || echo "messages are not found" >"$scratch/few"
: >>"$scratch/few"
verdict "messages are drawn out of the code" "$scratch/few"
crooked "$scratch/messages" >"$scratch/found"
verdict "messages are plain" "$scratch/found"
printf '%s\n' "one plan is due" "Please wait." "All is well." >"$scratch/bite"
[ "$(crooked "$scratch/bite" | wc -l)" -eq 2 ] && pass "crooked words are seen" ||
    fail "crooked words are seen" "$scratch/bite"
finish
