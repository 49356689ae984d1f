# A spec that cannot be read fails a gate with all its errors at their lines, in the forms that tell
# findings; no rule is said to hold, no other file is written, and JSON has all errors too.
sed -e 's/type: inference/type: inferense/' -e 's/^    - name:/    - nam:/' \
    "$ROOT/examples/minimal.yaml" >plan.yaml
for form in github junit tap gitlab json; do
    echo "== $form"
    code=0
    "$GPUPLAN" check plan.yaml -f $form -o out.sarif -o out.html 2>err || code=$?
    echo "exit $code"
done
grep -E '"(ruleId|uri|startLine|text)": ' out.sarif | sed '1,/ruleId/{/ruleId/!d;}'
test ! -e out.html
