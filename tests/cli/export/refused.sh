# What a report cannot give, and what makes no sense.
cp "$ROOT/examples/lora-fleet.yaml" "$ROOT/examples/chat-fleet.yaml" "$ROOT/examples/quickstart.yaml" .
cat >infeasible.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: x}
spec:
  candidates: [dgx-h100]
  workloads:
    - {name: chat, type: inference, model: llama-3.1-8b, goal: {slo: {ttft: 1ms}},
       traffic: {requestsPerSecond: 5, inputTokens: 2000, outputTokens: 100}}
PLAN
codes=
refuse() {
    code=0
    "$GPUPLAN" export "$@" 2>&1 || code=$?
    codes="$codes $code"
}
refuse k8s lora-fleet.yaml
refuse k8s infeasible.yaml
refuse rfp chat-fleet.yaml
refuse slurm quickstart.yaml -f job
refuse k8s quickstart.yaml -w chat --autoscaler hpa
refuse k8s quickstart.yaml -w chta
refuse bom quickstart.yaml -f xml
refuse bom quickstart.yaml -o bill
refuse bom quickstart.yaml --image x
refuse k9s quickstart.yaml
refuse k8s missing.json
refuse bom quickstart.yaml -o missing/bom.csv
mkdir plans
cp quickstart.yaml plans/a.plan.yaml
sed 's/name: quickstart/name: b/' quickstart.yaml >plans/b.plan.yaml
refuse bom plans
echo "$codes"
