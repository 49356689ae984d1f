#!/bin/sh
# Every input diagnostic of the source (GP1...) is shown by at least one test of the command line,
# and no test waits for one that does not exist.
. "$ROOT/tests/lib.sh"
grep -rhoE 'GP1[0-9]{3}' --include='*.[ch]' src include | sort -u >"$scratch/defined"
find tests/cli \( -name '*.yaml' -o -name '*.exact' -o -name '*.glob' \) \
    -exec grep -hoE 'GP1[0-9]{3}' {} + | sort -u >"$scratch/tested"
if [ -s "$scratch/defined" ]; then
    pass "the source has input diagnostics"
else
    fail "the source has input diagnostics"
fi
comm -23 "$scratch/defined" "$scratch/tested" >"$scratch/untested"
verdict "every input diagnostic has a test under tests/cli" "$scratch/untested"
comm -13 "$scratch/defined" "$scratch/tested" >"$scratch/unknown"
verdict "no test waits for an unknown diagnostic" "$scratch/unknown"
finish
