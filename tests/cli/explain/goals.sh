# What a goal is judged by, by the name of the goal; and figures by their last word, whether or not
# a term is recorded for them.
cp "$ROOT/examples/quickstart.yaml" .
explain() {
    echo "## $1"
    "$GPUPLAN" explain quickstart.yaml chat "$1" --set 'workloads.chat.goal.slo.e2e.p95=30 s' |
        sed -n '/^Figures/,/^$/p'
}
explain e2eP95S
explain goals.e2eP95
explain performance.requestsPerS
explain requestsPerS
"$GPUPLAN" explain quickstart.yaml chat e2eP96 --set 'workloads.chat.goal.slo.e2e.p95=30 s' 2>&1 ||
    echo "exit $?"
"$GPUPLAN" explain quickstart.yaml chat goals.e2eP95 --set 'workloads.chat.goal.slo.e2e.p95=30 s' \
    -f json | sed -n '/"figures"/,/]/p' | head -20
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: apart}
spec:
  cluster:
    pools: [{name: own, system: dgx-h100, count: 6}]
  workloads:
    - name: summarise
      type: inference
      model: Qwen/Qwen3-32B
      disaggregated: true
      traffic:
        requestsPerSecond: 4
        profile: diurnal
        inputTokens: {mean: 6000, p95: 12000}
        outputTokens: 300
      goal: {slo: {ttft: {p95: 6 s}, e2e: {p95: 30 s}}}
END
"$GPUPLAN" explain plan.yaml summarise requestsPerS | sed -n '/layout/p; /^Figures/,/^$/p'
