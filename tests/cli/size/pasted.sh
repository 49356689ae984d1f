# Every command that a first screen or a fix prints runs as it is printed, quoted names included.
cp "$ROOT/examples/quickstart.yaml" 'my plan.yaml'
"$GPUPLAN" init --template finetune >finetune.yaml
cat >short.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: short of power}
spec:
  site: {power: {itCapacity: 45 kW}}
  candidates: [dgx-h200]
  workloads:
    - {name: "the chat", type: inference, model: llama-3.1-70b-fp8, traffic: {requestsPerSecond: {mean: 30, peak: 60}, inputTokens: 2000, outputTokens: 400}, goal: {slo: {ttft: 2 s, tpot: 40 ms}}}
PLAN
gpuplan() { "$GPUPLAN" "$@"; }
paste() {
    while read -r line; do
        code=0
        eval "$line" >out </dev/null || code=$?
        if [ $code -gt 1 ] || [ ! -s out ]; then echo "exit $code"; fi
        echo "$line: $(sed -n 1p out)"
    done
}
for plan in 'my plan.yaml' finetune.yaml short.yaml; do
    "$GPUPLAN" size "$plan" --set 'defaults.headroom.gpus=11 %' >screen || true
    sed -n 's/^.*\(gpuplan .*\)$/\1/p' screen | paste
    "$GPUPLAN" size "$plan" -f json >report.json || true
    sed -n 's/.*"fix": *"[^"]*\(gpuplan size [^"]*\)".*/\1/p' report.json | paste
done
