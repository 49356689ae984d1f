#!/bin/sh
# The answer that the README shows is the one that the program gives.
. "$ROOT/tests/lib.sh"
need awk

awk '/^quickstart holds/ { on = 1 } /^```/ { on = 0 } on { print }' README.md >"$scratch/shown"
"$GPUPLAN" size examples/quickstart.yaml --detail answer </dev/null >"$scratch/given"
: >"$scratch/diff"
[ -s "$scratch/shown" ] || echo "README.md shows no answer" >"$scratch/diff"
diff -u "$scratch/shown" "$scratch/given" >>"$scratch/diff" || true
verdict "README shows what the program prints" "$scratch/diff"
words=$(wc -w <README.md)
[ "$words" -le 1500 ] || echo "README.md has $words words" >"$scratch/words"
: >>"$scratch/words"
verdict "README is read in one sitting" "$scratch/words"
finish
