cp "$ROOT"/tests/samples/lock/plan.yaml .
echo 'apiVersion: gpuplan/v1
kind: Lock
metadata: {name: gpuplan}
spec:
  entries:
    - {name: hf:a/b, date: 2027-01-15, digest: x, model: {layers: many}}
    - {name: hf:c/d, date: 2027-01-15, digest: x}' >gpuplan.lock
"$GPUPLAN" validate plan.yaml
