#!/bin/sh
# What the README and the pages of docs show of the program is what it prints.
. "$ROOT/tests/lib.sh"
need awk

awk '/^quickstart holds/ { on = 1 } /^```/ { on = 0 } on { print }' README.md >"$scratch/shown"
"$GPUPLAN" size examples/quickstart.yaml --detail answer </dev/null >"$scratch/given"
: >"$scratch/diff"
[ -s "$scratch/shown" ] || echo "README.md shows no answer" >"$scratch/diff"
diff -u "$scratch/shown" "$scratch/given" >>"$scratch/diff" || true
verdict "README shows what the program prints" "$scratch/diff"
# A block that opens with "$ gpuplan ..." shows lines of what that prints, some or all.
: >"$scratch/stale"
awk -v folder="$scratch" '
    /^```/ { command = ""; next }
    /^\$ gpuplan / { command = substr($0, 3); file = folder "/block" ++blocks; print command > file; next }
    command != "" && NF { print > file }
    END { print blocks + 0 > (folder "/blocks") }' docs/*.md
for block in "$scratch"/block[0-9]*; do
    command=$(head -1 "$block")
    eval "\"\$GPUPLAN\" ${command#gpuplan }" </dev/null >"$scratch/printed" 2>&1 || true
    tail -n +2 "$block" | grep -v '^\.\.\.$' | grep -vxFf "$scratch/printed" |
        sed "s|^|$command: |" >>"$scratch/stale" || true
done
[ "$(cat "$scratch/blocks")" -ge 1 ] || echo "no block was found" >>"$scratch/stale"
verdict "docs show what the program prints" "$scratch/stale"
words=$(wc -w <README.md)
[ "$words" -le 1500 ] || echo "README.md has $words words" >"$scratch/words"
: >>"$scratch/words"
verdict "README is read in one sitting" "$scratch/words"
finish
