# The project file is looked for from the working folder up to the root of the repository, and a
# command without operands takes its specs. What came from it stands among the inputs.
mkdir -p .git clusters/a/deep clusters/b policy catalog prices
cp "$ROOT/examples/quickstart.yaml" clusters/a/plan.yaml
cp "$ROOT/examples/minimal.yaml" clusters/b/small.plan.yaml
cp clusters/b/small.plan.yaml clusters/b/.hidden.plan.yaml
cat >policy/house.yaml <<'END_POLICY'
apiVersion: gpuplan/v1
kind: Policy
metadata: {name: house}
spec:
  rules:
    - {id: ORG-001, assert: "summary.gpus <= 40", message: The room is small.}
  waivers:
    - {rule: GP6002, until: 2026-03-31, reason: Old.}
END_POLICY
cat >prices/list.yaml <<'END_PRICES'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: list}
spec: {currency: USD, items: [{item: system/dgx-h100, price: 300000 USD}]}
END_PRICES
cat >.gpuplan.yaml <<'END_PROJECT'
apiVersion: gpuplan/v1
kind: Config
specs: ["clusters/**/plan.yaml", "**/*.plan.yaml"]
policies: [policy/house.yaml]
prices: [prices/list.yaml]
failOn: warning
now: 2026-11-20
detail: answer
width: 72
END_PROJECT
"$GPUPLAN" validate
cd clusters/a/deep
code=0
"$GPUPLAN" check -f json >report.json || code=$?
echo "exit $code"
tr ',' '\n' <report.json | grep -e '"plan"' -e '"failOn"' -e '"now"' -e '"path": *"\.\./'
code=0
"$GPUPLAN" check --fail-on error -f tap | grep -e ORG-001 -e GP7011 | sed 's,not ok [0-9]*,not ok,' || code=$?
# Operands and flags go before the file, which says no more than they leave open.
"$GPUPLAN" validate ../plan.yaml
"$GPUPLAN" size ../plan.yaml --detail answer >flag
"$GPUPLAN" size ../plan.yaml >file
cmp flag file
grep -v 'gpuplan ' file | awk '{ if (length($0) > most) most = length($0) } END { exit most > 72 }'
# At the root of another repository it ends.
mkdir .git
code=0
"$GPUPLAN" check 2>err || code=$?
cat err
echo "exit $code"
