# Notes ask for nothing: they are counted, and shown where they fail the check or are asked for.
"$GPUPLAN" init --template inference >plan.yaml
"$GPUPLAN" check plan.yaml | tail -1
"$GPUPLAN" check plan.yaml --detail all | grep -c '^note'
code=0
"$GPUPLAN" check plan.yaml --fail-on note >out || code=$?
grep -c '^note' out
echo "exit $code"
