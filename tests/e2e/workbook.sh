#!/bin/sh
# Workbooks, opened and calculated again by LibreOffice: its totals are those of the report, even where
# every value that the file keeps of a formula is spoilt before.
. "$ROOT/tests/lib.sh"
need soffice "$PYTHON"
here=$ROOT/tests/e2e

# Always calculate on load; a profile of our own.
profile=$scratch/profile
mkdir -p "$profile/user"
cat >"$profile/user/registrymodifications.xcu" <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
END

# as_csv BOOK FOLDER: a file per sheet
as_csv() {
    timeout 100 soffice "-env:UserInstallation=file://$profile" --headless --convert-to \
        'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1' \
        --outdir "$2" "$1" >"$scratch/log" 2>&1
}

cat >"$scratch/two.yaml" <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: "=cmd|' /C calc'!A0"}
spec:
  candidates: [dgx-h200]
  workloads:
    - {name: "=HYPERLINK(\"http://x\")\u202e\u0007", type: inference, model: llama-3.1-8b}
END
for plan in examples/greenfield.yaml examples/chat-fleet.yaml "$scratch/two.yaml"; do
    base=${plan##*/}
    "$GPUPLAN" size -q "$plan" -o "$scratch/book.xlsx" -o "$scratch/report.json"
    "$GPUPLAN" render "$scratch/report.json" -q -o "$scratch/again.xlsx"
    "$PYTHON" "$here/workbook.py" spoil "$scratch/book.xlsx" "$scratch/spoilt.xlsx" >"$scratch/log" 2>&1
    verdict "$base: every formula has its value" "$scratch/log"
    if cmp -s "$scratch/book.xlsx" "$scratch/again.xlsx"; then
        pass "$base: the same report gives the same bytes"
    else
        fail "$base: the same report gives the same bytes"
    fi
    for book in book spoilt; do
        rm -rf "$scratch/csv"
        if as_csv "$scratch/$book.xlsx" "$scratch/csv"; then
            "$PYTHON" "$here/workbook.py" compare "$scratch/csv/$book" "$scratch/report.json" >"$scratch/log" 2>&1
        fi
        [ -d "$scratch/csv" ] || echo "LibreOffice wrote nothing" >>"$scratch/log"
        verdict "$base: LibreOffice comes to the report's totals ($book)" "$scratch/log"
    done
done

# Several plans: the sheets of the second stand behind those of the first.
mkdir "$scratch/plans"
cp examples/minimal.yaml "$scratch/plans/a.plan.yaml"
sed 's/name: minimal/name: other/' examples/minimal.yaml >"$scratch/plans/b.plan.yaml"
"$GPUPLAN" size -q "$scratch/plans" -o "$scratch/book.xlsx"
as_csv "$scratch/book.xlsx" "$scratch/several"
if [ -s "$scratch/several/book-Summary (2).csv" ] && [ -s "$scratch/several/book-TCO.csv" ]; then
    pass "several plans have sheets of their own"
else
    ls "$scratch/several" >>"$scratch/log"
    fail "several plans have sheets of their own" "$scratch/log"
fi

# Whole or not at all.
mkdir "$scratch/none"
if (TMPDIR=$scratch/missing "$GPUPLAN" size -q examples/minimal.yaml -o "$scratch/none/book.xlsx") >"$scratch/log" 2>&1; then
    fail "without room for temporary files there is no workbook"
elif [ -z "$(ls -A "$scratch/none")" ]; then
    pass "without room for temporary files there is no workbook"
else
    fail "without room for temporary files there is no workbook" "$scratch/log"
fi
finish
