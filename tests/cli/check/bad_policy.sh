# Every mistake of a policy in one run, with its place and the nearest word.
cp "$ROOT/examples/minimal.yaml" plan.yaml
cat >policy.yaml <<'END'
apiVersion: gpuplan/v1
kind: Policy
metadata: {name: house}
spec:
  rules:
    - {id: ORG-001, assert: "memory.headromFraction >= 10%"}
    - {id: ORG-002, assert: "site.power.itW <= 40 kg"}
    - {id: ORG-003, assert: "memory.fit < fits"}
    - {id: ORG-004, assert: "summary.feasible == yes"}
    - {id: ORG-005, assert: "of course"}
    - {id: GP-001, assert: "summary.gpus <= 4", select: {workload.typ: lora}}
  levels: {GP7001: warn, GP70001: error}
  waivers:
    - {rule: ORG-009, until: 2027-03-31, reason: None.}
END
"$GPUPLAN" check plan.yaml --policy policy.yaml
