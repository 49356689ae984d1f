#!/bin/sh
# One report in all its forms: every figure that text, Markdown, page, CSV and workbook show is the
# one of report.json.
. "$ROOT/tests/lib.sh"
need "$PYTHON"

for plan in quickstart greenfield two-sites small-services chat-fleet; do
    out="$scratch/$plan"
    "$GPUPLAN" size "examples/$plan.yaml" --detail all --width 160 -o "$out.json" -o "$out.csv" -o "$out.md" \
        -o "$out.html" -o "$out.xlsx" </dev/null >"$out.txt"
    "$PYTHON" "$ROOT/tests/e2e/equal.py" "$out" >"$scratch/complaints" 2>&1
    verdict "all forms of $plan show the same figures" "$scratch/complaints"
done
# The reader of forms sees a figure that is another.
sed 's/"gpus": 1\([0-9]*\),/"gpus": 9\1,/; s/"racks": \([0-9]\)/"racks": 7\1/' \
    "$scratch/quickstart.json" >"$scratch/spoilt.json"
for form in txt md html csv xlsx; do
    cp "$scratch/quickstart.$form" "$scratch/spoilt.$form"
done
"$PYTHON" "$ROOT/tests/e2e/equal.py" "$scratch/spoilt" >"$scratch/seen" 2>&1
: >"$scratch/complaints"
[ "$(wc -l <"$scratch/seen")" -ge 4 ] || cp "$scratch/seen" "$scratch/complaints"
[ -s "$scratch/seen" ] || echo "nothing was noticed" >"$scratch/complaints"
verdict "a report with other figures is told from its forms" "$scratch/complaints"
finish
