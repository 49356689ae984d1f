# The first screen of a plan of a dozen workloads, and of one that does not hold: at most 30 lines of
# 80 columns, as tests/meta/first_screen.sh has it of examples and templates. Commands are to be
# pasted: they alone may be wider.
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
for plan in *.yaml; do
    code=0
    "$GPUPLAN" size "$plan" >screen || code=$?
    awk -v plan="$(basename "$plan")" -v code=$code '
        !/gpuplan / && length($0) > 80 { print plan ": " length($0) " columns: " $0 }
        /gpuplan / && /\.\.$/ { print plan ": a command is cut: " $0 }
        END { print plan ": exit " code ", " (NR <= 30 ? "one screen" : NR " lines") }' screen
done
"$GPUPLAN" size fails.yaml | sed '/^Next/,$d'
