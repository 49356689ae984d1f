# A plan as a spec that declares it: what size chose holds, and nothing more is asked for.
cp "$ROOT"/examples/*.yaml .
for plan in chat-fleet greenfield inference-site lora-fleet minimal pretrain-405b quickstart; do
    "$GPUPLAN" export spec $plan.yaml -o built.yaml
    "$GPUPLAN" validate -q built.yaml
    code=0
    "$GPUPLAN" check -q built.yaml || code=$?
    "$GPUPLAN" size -f json $plan.yaml >planned.json
    "$GPUPLAN" size -f json built.yaml >built.json
    for report in planned built; do
        grep -o '"chosen":{[^}]*' $report.json |
            grep -oE '"(system|gpus|nodes|replicas|layout)":("[^"]*"|[0-9]*)' >$report.txt
    done
    cmp planned.txt built.txt && echo "$plan: check $code, scale$(
        grep -o '"scale":"[a-z]*"' built.json | cut -d'"' -f4 | sort | uniq -c | tr -s ' \n' ' ')"
done
"$GPUPLAN" size -f json minimal.yaml >report.json
"$GPUPLAN" export spec quickstart.yaml | grep -v sha256
# A flag that planned it stands in it; several documents stay together.
"$GPUPLAN" export spec greenfield.yaml --objective minPower | sed -n '/^  candidates/,/^  workloads/p'
"$GPUPLAN" export spec greenfield.yaml | grep -A4 '^---'
# What a spec cannot say.
codes=
refuse() {
    code=0
    "$GPUPLAN" export spec "$@" 2>&1 || code=$?
    codes="$codes $code"
}
refuse report.json
refuse quickstart.yaml -w chat
refuse quickstart.yaml --image x
cat >rented.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: rented}
spec:
  candidates: [cloud:aws/p5.48xlarge]
  workloads:
    - {name: chat, type: inference, model: llama-3.1-8b, goal: {slo: {ttft: 1 s}},
       traffic: {requestsPerSecond: 5, inputTokens: 2000, outputTokens: 100}}
PLAN
refuse rented.yaml
sed 's/cloud:aws.p5.48xlarge/dgx-h100/; s/ttft: 1 s/ttft: 1 ms/' rented.yaml >infeasible.yaml
refuse infeasible.yaml
echo "$codes"
