# A path that leads nowhere: what is near is looked for beneath the parent that it names, and what
# stands there is listed, first of all what has the word in it.
cp "$ROOT/examples/quickstart.yaml" plan.yaml
cat >policy.yaml <<'END'
apiVersion: gpuplan/v1
kind: Policy
metadata: {name: near}
spec:
  rules:
    - {id: a, assert: cost.perYear < 1M USD}
    - {id: b, assert: memory.headroom > 5%}
    - {id: c, assert: sumary.gpus < 4}
    - {id: d, assert: site.power < 1 MW}
END
"$GPUPLAN" check plan.yaml --policy policy.yaml 2>&1 | sed -n '/error:/p;/= /p'
"$GPUPLAN" sweep plan.yaml --vary 20% --front cost.captal 2>&1 || test $? -eq 2
