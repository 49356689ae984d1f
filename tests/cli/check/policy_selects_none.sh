# A name that no workload has is why a rule was not judged, and not the figure.
cp "$ROOT/examples/quickstart.yaml" plan.yaml
cat >policy.yaml <<'END'
apiVersion: gpuplan/v1
kind: Policy
metadata: {name: typo}
spec:
  rules:
    - {id: a, select: {workload.name: "chta"}, assert: memory.headroomFraction > 5%}
END
"$GPUPLAN" check plan.yaml --policy policy.yaml --detail all | grep -A3 GP7012
