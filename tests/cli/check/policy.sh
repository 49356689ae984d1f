# Rules of one's own, other levels, waivers: what fails, what is waived, what judged nothing.
cp "$ROOT/examples/quickstart.yaml" plan.yaml
cat >policy.yaml <<'END'
apiVersion: gpuplan/v1
kind: Policy
metadata: {name: house}
spec:
  rules:
    - id: ORG-001
      select: {workload.type: inference}
      assert: "memory.headroomFraction >= 99%"
      message: Keep GPU memory free.
    - id: ORG-002
      assert: "summary.gpus <= 40"
    - id: ORG-003
      select: {workload.type: training}
      assert: "performance.mfuFraction >= 30%"
    - {id: ORG-004, assert: "recommendation.scale != horizontal", level: warning}
    - {id: ORG-005, assert: "diff.cost.totalPerYear <= +15%"}
  levels: {GP5005: off, GP3010: warning}
  waivers:
    - {rule: ORG-002, paths: ["**/plan.yaml"], until: 2027-03-31, reason: Ordered (CAP-140).}
    - {rule: ORG-001, until: 2026-03-31, reason: Old.}
    - {rule: GP6002, until: 2027-03-31, reason: None.}
END
code=0
"$GPUPLAN" check plan.yaml --policy policy.yaml --now 2026-11-20 || code=$?
echo "exit $code"
for form in junit tap sarif github gitlab; do
    "$GPUPLAN" check plan.yaml --policy policy.yaml --now 2026-11-20 -f $form >out.$form || true
done
grep -c '<failure' out.junit
grep -o 'skipped message="[^"]*"' out.junit
grep SKIP out.tap
grep -o '"justification": .*' out.sarif
grep '^::error' out.github
# The day comes from the flag, else from the environment; after it the waiver counts no more.
SOURCE_DATE_EPOCH=1830000000 "$GPUPLAN" check plan.yaml --policy policy.yaml |
    grep -A 2 'GP7011' | sed -n 1,2p || true
"$GPUPLAN" check plan.yaml --policy policy.yaml -f json --now 2026-11-20 | grep '"now"' || true
