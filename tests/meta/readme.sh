#!/bin/sh
# The answer that the README shows is the one that the program gives.
. "$ROOT/tests/lib.sh"
need awk

awk '/^Plan quickstart/ { on = 1 } /^```/ { on = 0 } on { print }' README.md >"$scratch/shown"
"$GPUPLAN" size examples/quickstart.yaml --detail answer </dev/null >"$scratch/given"
: >"$scratch/diff"
[ -s "$scratch/shown" ] || echo "README.md shows no answer" >"$scratch/diff"
diff -u "$scratch/shown" "$scratch/given" >>"$scratch/diff" || true
verdict "README shows what the program prints" "$scratch/diff"
finish
