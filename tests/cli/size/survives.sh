# The loss of a site is a factor of the need like any other, with what it adds.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: two}
spec:
  sites:
    - name: north
      cluster: {pools: [{name: n, system: dgx-h200, count: 4}]}
    - name: south
      cluster: {pools: [{name: s, system: dgx-h200, count: 4}]}
  links: [{between: [north, south], bandwidth: 10 Gb/s, roundTrip: 25 ms}]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: {mean: 20, peak: 50}, inputTokens: 1500, outputTokens: 350}
      goal: {slo: {ttft: 2 s, tpot: 45 ms, availability: 99.9%}}
      placement: {survives: site}
PLAN
"$GPUPLAN" size plan.yaml | sed -n '/^WORK/,/^chat/p;/^The need/,/^$/p'
"$GPUPLAN" size plan.yaml -f json | tr -d ' \n' | grep -oE '"needSteps":\[[^]]*\]' |
    grep -oE '"factor":"[a-z]*"|"gpus":[0-9]*' | paste - -
sed -i '/survives/d' plan.yaml
"$GPUPLAN" size plan.yaml | sed -n '/^The need/,/^$/p'
echo "## the layout that draws the least, on each site as on one"
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: mono}
spec:
  sites:
    - {name: north, site: {power: {annual: 1.2}}}
    - {name: west, site: {power: {annual: 1.2}}}
  candidates: {allow: [dgx-h200, dgx-h100], objective: minPower}
  workloads:
    - name: chat
      type: inference
      model: Qwen/Qwen3-32B
      traffic: {requestsPerSecond: {mean: 20, peak: 40}, inputTokens: 1500, outputTokens: 300}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
      placement: {survives: site}
PLAN
for peak in 40 20; do
    "$GPUPLAN" size plan.yaml --set workloads.chat.traffic.requestsPerSecond.peak=$peak \
        --set workloads.chat.traffic.requestsPerSecond.mean=$((peak / 2)) -f json |
        grep -m1 '"facilityMeanPowerW"'
done
"$GPUPLAN" explain plan.yaml chat | grep 'that launch'
