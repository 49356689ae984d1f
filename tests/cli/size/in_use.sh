# Machines that others use are not free, and not idle either: their peak is in the site's power, and
# what they draw under load is not told as part of the plan's.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: inuse}
spec:
  workloads:
  - name: chat
    type: inference
    model: qwen3-32b
    traffic:
      requestsPerSecond: {mean: 5, peak: 12}
      inputTokens: 1500
      outputTokens: 350
    goal:
      slo: {ttft: 1.5 s, tpot: 40 ms}
  candidates:
    allow: [dgx-h100]
    objective: minPower
  site:
    energy: {price: 0.12 USD/kWh, carbon: 0.3 kgCO2e/kWh}
  cluster:
    pools:
    - {name: a, system: dgx-h100, count: 10, inUse: 8}
PLAN
"$GPUPLAN" size plan.yaml --detail >screen
sed -n '1p;/^Site$/,/^  heat/p' screen
"$GPUPLAN" size plan.yaml -f json | grep '"othersNodes"'
