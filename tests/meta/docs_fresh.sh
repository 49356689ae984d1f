#!/bin/sh
# The generated pages in docs/ are what the program writes today; `make docs` refreshes them.
. "$ROOT/tests/lib.sh"
mkdir "$scratch/docs"
if ! sh .ci/docs.sh "$GPUPLAN" "$scratch/docs" >"$scratch/log" 2>&1; then
    fail "the program writes its reference pages" "$scratch/log"
    finish
fi
for file in "$scratch"/docs/*; do
    name=docs/${file##*/}
    diff -u "$name" "$file" >"$scratch/diff" 2>&1
    head -40 "$scratch/diff" >"$scratch/head"
    verdict "$name is fresh" "$scratch/head"
done
finish
