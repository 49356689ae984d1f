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
# The GPUs that hours are counted of are told for what they are where some are rented, and the
# purchase price is the bill's.
command -v unzip >unzip || exit 0
cat >rent.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: rent}
spec:
  candidates: {allow: [dgx-h200, "cloud:aws/p5en.48xlarge"], objective: minCost}
  costs: {currency: USD, amortization: 48 mo}
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b-fp8
      traffic: {requestsPerSecond: {mean: 8}, inputTokens: 1500, outputTokens: 400}
      goal: {slo: {ttft: 2 s, tpot: 45 ms}}
    - name: tune
      type: finetune
      model: llama-3.1-70b
      data: {tokens: 1B tokens, sequenceLength: 8192, globalBatch: 1M}
      goal: {every: 7d, maxDuration: 2d}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: offers}
spec:
  currency: USD
  items:
    - {item: system/dgx-h200, price: 310000 USD}
    - {item: "cloud:aws/p5en.48xlarge", price: 42 USD/h}
PLAN
"$GPUPLAN" size rent.yaml -q -o rent.xlsx
unzip -p rent.xlsx xl/sharedStrings.xml >strings
grep -q '>GPUs: installed, and rented for the time paid<' strings
unzip -p rent.xlsx xl/worksheets/sheet4.xml >tco
grep -q '<f>.*BOM.*!G[0-9]*</f>' tco
