# Rules over the change itself: a share of the base, or a difference.
cp "$ROOT/examples/minimal.yaml" base.yaml
sed 's/requestsPerSecond: [0-9]*/requestsPerSecond: 60/' base.yaml >head.yaml
cat >policy.yaml <<'END'
apiVersion: gpuplan/v1
kind: Policy
metadata: {name: growth}
spec:
  rules:
    - {id: ORG-001, assert: "diff.summary.gpus <= +15%", message: Ask before growing.}
    - {id: ORG-002, assert: "diff.summary.gpus <= 1000"}
    - {id: ORG-003, assert: "diff.recommendation.chosen.nodes <= 0", level: warning}
END
code=0
"$GPUPLAN" diff base.yaml head.yaml --policy policy.yaml | sed -n '/^Policy/,$p' || code=$?
"$GPUPLAN" diff base.yaml head.yaml --policy policy.yaml >/dev/null || code=$?
"$GPUPLAN" diff base.yaml base.yaml --policy policy.yaml || code="$code $?"
echo "exit $code"
