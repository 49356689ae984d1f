# Extensions tell the form; yaml and json hold the same figures; forms that an object lacks are refused.
cp "$ROOT/examples/minimal.yaml" .
"$GPUPLAN" size -q minimal.yaml -o r.sarif -o r.xml -o r.tap -o r.prom -o r.csv -o r.yaml \
    -o gitlab=code.json -o r.json
head -3 r.sarif
head -1 r.xml r.tap r.prom
head -c 60 r.csv; echo
grep -c fingerprint code.json
grep -n 'gpus: ' r.yaml | head -1
code=0
"$GPUPLAN" explain minimal.yaml chat -f sarif 2>&1 || code=$?
"$GPUPLAN" size minimal.yaml --set workloads.chat.traffic.requestsPerSecond=1,2 -f junit 2>&1 || code=$?
echo "$code"
