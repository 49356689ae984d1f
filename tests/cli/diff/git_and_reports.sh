# Sides from a revision of git and from reports; a report knows its inputs by their digests.
export HOME="$PWD" GIT_CONFIG_NOSYSTEM=1
cp "$ROOT/examples/minimal.yaml" plan.yaml
git init -q . && git add plan.yaml
git -c user.name=a -c user.email=a@example.org commit -qm base
"$GPUPLAN" size -q plan.yaml -o base.json
sed -i 's/requestsPerSecond: [0-9]*/requestsPerSecond: 40/' plan.yaml
"$GPUPLAN" diff git:HEAD:plan.yaml plan.yaml || echo "exit $?"
"$GPUPLAN" size -q plan.yaml --set defaults.confidence=p90 -o head.json
"$GPUPLAN" diff base.json head.json
"$GPUPLAN" diff base.json plan.yaml -f markdown --max-bytes 2000 >comment || echo "exit $?"
tail -3 comment
code=0
"$GPUPLAN" diff git:missing:plan.yaml plan.yaml 2>err || code=$?
tail -2 err
"$GPUPLAN" diff git:HEAD plan.yaml || code="$code $?"
echo "$code"
