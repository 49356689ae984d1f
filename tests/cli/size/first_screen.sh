# The first screen: at most 30 lines of 80 columns for every example and template, for a plan of a
# dozen workloads and for one that does not hold. Commands are to be pasted: they alone may be wider.
for template in inference pretrain finetune lora mixed; do
    "$GPUPLAN" init --template $template >$template.yaml
done
cat >dozen.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: dozen}
spec:
  candidates: {allow: [dgx-h100, dgx-h200], limits: {maxNodes: 4}}
  workloads:
PLAN
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    cat >>dozen.yaml <<PLAN
    - {name: service-with-a-long-name-$i, type: inference, model: llama-3.1-8b, traffic: {requestsPerSecond: {mean: $((i * i * i)), peak: $((i * i * i * 2))}, inputTokens: 1000, outputTokens: 300}, goal: {slo: {ttft: 2 s, tpot: 40 ms}}}
PLAN
done
sed 's/maxNodes: 4/maxNodes: 1/' dozen.yaml >fails.yaml
for plan in "$ROOT"/examples/*.yaml *.yaml; do
    code=0
    "$GPUPLAN" size "$plan" >screen || code=$?
    awk -v plan="$(basename "$plan")" -v code=$code '
        !/gpuplan / && length($0) > 80 { print plan ": " length($0) " columns: " $0 }
        /gpuplan / && /\.\.$/ { print plan ": a command is cut: " $0 }
        END { print plan ": exit " code ", " (NR <= 30 ? "one screen" : NR " lines") }' screen
done
"$GPUPLAN" size fails.yaml | sed '/^Next/,$d'
