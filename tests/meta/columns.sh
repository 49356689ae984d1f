#!/bin/sh
# Every column that tables of runs may have stands in docs/calibration.md.
. "$ROOT/tests/lib.sh"

unlisted() {
    grep -ohE '(NEEDED|TEXT|REAL|WHOLE)\("[a-zA-Z0-9_]+' src/fit/runs.c src/fit/rl.c |
        sed 's/.*"//' | sort -u | while read -r name; do
        grep -q "\`$name\`" "$1" || echo "$name"
    done
}

unlisted docs/calibration.md >"$scratch/unlisted"
verdict "columns of runs are listed" "$scratch/unlisted"
sed 's/`bytes`/bytes/' docs/calibration.md >"$scratch/page"
if [ "$(unlisted "$scratch/page")" = bytes ]; then
    pass "a column that is not listed is seen"
else
    fail "a column that is not listed is seen"
fi
finish
