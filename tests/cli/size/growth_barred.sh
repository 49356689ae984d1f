# Growth buys what the plan may buy: where that is not the kind that stands, work goes to others,
# beyond limits, too, which are told then.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: grown}
spec:
  site: {power: {itCapacity: 60 kW, annual: 1.2}}
  cluster: {pools: [{name: old, system: dgx-h100, count: 3}]}
  candidates: {allow: [dgx-h200]}
  workloads:
    - name: chat
      type: inference
      model: Qwen/Qwen3-32B
      traffic: {requestsPerSecond: {mean: 4, peak: 12}, inputTokens: 3000, outputTokens: 500}
      goal: {slo: {ttft: 1.5 s, tpot: 45 ms}}
  growth: {start: 2027-Q1, horizon: 5 quarters, scenarios: {expected: {chat: 400%/yr}}}
PLAN
show() {
    "$GPUPLAN" size plan.yaml --detail "$@" -o report.json |
        sed -n '/Quarter .*GPUs/,/^To build/{/^To build/d;p}'
    sed -n '/"growth": \[/,/^  \]/p' report.json | grep '"system"' | sort | uniq -c
}
show
echo "## nothing else may be bought that carries it"
show --set 'candidates.allow=[l40s-8gpu]'
