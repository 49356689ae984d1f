# Colours on demand only, and never in a file.
cp "$ROOT/examples/minimal.yaml" .
escapes() { tr -cd '\033' | wc -c; }
"$GPUPLAN" size minimal.yaml | escapes
test "$("$GPUPLAN" size minimal.yaml --color always -o report.txt | escapes)" -gt 0
escapes <report.txt
NO_COLOR=1 "$GPUPLAN" size minimal.yaml | escapes
"$GPUPLAN" size minimal.yaml --color always --no-color | escapes
