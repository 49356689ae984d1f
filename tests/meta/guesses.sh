#!/bin/sh
# The twelve guesses of docs/architecture.md: each function stands in the file that the page names.
. "$ROOT/tests/lib.sh"
need awk

# Prints the rows "FILE FUNCTION" of the table that do not hold.
wrong_guesses() {
    awk -F'|' '/^## /{ on = /Twelve guesses/ } on && $3 ~ /`src\// {
        gsub(/[` ]/, "", $3); gsub(/[` ]/, "", $4); print $3, $4 }' "$1" >"$scratch/rows"
    [ "$(wc -l <"$scratch/rows")" -eq 12 ] || echo "$(wc -l <"$scratch/rows") guesses"
    while read -r file name; do
        grep -Eq "^[a-z][A-Za-z0-9_ *]*[ *]$name\\(" "$file" || echo "$file has no $name"
    done <"$scratch/rows"
}

wrong_guesses docs/architecture.md >"$scratch/wrong" 2>&1
verdict "twelve guesses hit" "$scratch/wrong"
sed 's/`gp_growth_init`/`gp_shrink_of`/' docs/architecture.md >"$scratch/page"
if [ "$(wrong_guesses "$scratch/page")" = "src/plan/growth.c has no gp_shrink_of" ]; then
    pass "a wrong guess is seen"
else
    fail "a wrong guess is seen"
fi
finish
