# A workbook is a form of reports alone; the same report gives the same bytes, also from its JSON.
cp "$ROOT/examples/minimal.yaml" .
if ! "$GPUPLAN" version -f json | grep -q '"libxlsxwriter":true'; then
    code=0
    "$GPUPLAN" size minimal.yaml -o r.xlsx 2>err || code=$?
    test $code -eq 2
    grep -q 'built without libxlsxwriter' err
    exit 0
fi
"$GPUPLAN" size minimal.yaml -q -o r.xlsx -o r.json
"$GPUPLAN" size minimal.yaml -f xlsx >s.xlsx
"$GPUPLAN" render r.json -f xlsx >t.xlsx
cmp r.xlsx s.xlsx
cmp r.xlsx t.xlsx
code=0
"$GPUPLAN" explain minimal.yaml chat -f xlsx >out 2>err || code=$?
test $code -eq 2
TMPDIR=missing "$GPUPLAN" size -q minimal.yaml -o u.xlsx 2>err || code=$?
test $code -eq 4
test ! -e u.xlsx
