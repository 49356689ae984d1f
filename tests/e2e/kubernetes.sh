#!/bin/sh
# Manifests against the schemas of the built-in kinds, our own field paths and the report's counts.
. "$ROOT/tests/lib.sh"
need node "$PYTHON"
need_module kubernetes-models
here=$ROOT/tests/e2e

# examine NAME ARGUMENT...: PLAN is in $plan, its report in report.json
examine() {
    name=$1
    shift
    "$GPUPLAN" export "$@" >"$scratch/objects.yaml" 2>"$scratch/log"
    "$PYTHON" "$here/kubernetes.py" "$scratch/objects.yaml" "$scratch/report.json" \
        "$scratch/objects.jsonl" >>"$scratch/log" 2>&1
    verdict "$name" "$scratch/log"
}

for plan in tests/e2e/data/services.yaml examples/quickstart.yaml examples/chat-fleet.yaml \
    examples/greenfield.yaml examples/pretrain-405b.yaml examples/inference-site.yaml; do
    base=${plan##*/}
    "$GPUPLAN" size -q "$plan" -o "$scratch/report.json"
    examine "k8s of $base: fields and counts" k8s "$plan"
    node "$here/kubernetes.mjs" "$NODE" <"$scratch/objects.jsonl" >"$scratch/log" 2>&1
    verdict "k8s of $base: schemas" "$scratch/log"
    examine "k8s of $base from its report" k8s "$scratch/report.json" --image registry.example/engine:1
    examine "kueue of $base: fields and quota" kueue "$plan"
done
"$GPUPLAN" size -q examples/quickstart.yaml -o "$scratch/report.json"
examine "KEDA in place of HPA" k8s examples/quickstart.yaml --autoscaler keda --metric vllm:num_requests_running
grep -q 'kind: ScaledObject' "$scratch/objects.yaml" && ! grep -q HorizontalPodAutoscaler "$scratch/objects.yaml" &&
    pass "KEDA is there, HPA is not" || fail "KEDA is there, HPA is not"

# Hostile names: the YAML still holds the same objects with the same fields.
sed -e 's/name: large/name: "=x()<\/script>: {a: b} # [c] \\u202e \\"q\\" \x27 | $(id)"/' -e 's/name: big/name: "!!str \&a *b"/' \
    tests/e2e/data/services.yaml >"$scratch/hostile.yaml"
"$GPUPLAN" size -q "$scratch/hostile.yaml" -o "$scratch/report.json"
examine "k8s of hostile names" k8s "$scratch/hostile.yaml"
examine "kueue of hostile names" kueue "$scratch/hostile.yaml"

# The checks must bite.
"$GPUPLAN" export k8s examples/chat-fleet.yaml >"$scratch/objects.yaml"
"$GPUPLAN" size -q examples/chat-fleet.yaml -o "$scratch/report.json"
sed -i -e 's/^  replicas: [0-9]*$/  replicas: "many"/' -e 's/maxSurge/maxSorge/' "$scratch/objects.yaml"
"$PYTHON" "$here/kubernetes.py" "$scratch/objects.yaml" "$scratch/report.json" "$scratch/objects.jsonl" >"$scratch/log" 2>&1
node "$here/kubernetes.mjs" "$NODE" <"$scratch/objects.jsonl" >>"$scratch/log" 2>&1
if grep -q maxSorge "$scratch/log" && grep -q '"type":"integer"' "$scratch/log"; then
    pass "a misspelt field and a wrong type are caught"
else
    fail "a misspelt field and a wrong type are caught" "$scratch/log"
fi
finish
