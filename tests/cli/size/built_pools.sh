# A plan written down and planned again keeps what stands: as few GPUs elsewhere are no reason to
# buy. And pools that a plan of fewest GPUs finds are known under every objective.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  candidates: {allow: [dgx-h100, dgx-h200], objective: minGpus}
  workloads:
    - name: chat
      type: inference
      model: gpt-oss-120b
      traffic: {requestsPerSecond: 35, inputTokens: 6000, outputTokens: 150}
      goal: {slo: {tpot: 80 ms, ttft: 2 s}}
PLAN
"$GPUPLAN" export spec plan.yaml -o built.yaml
"$GPUPLAN" size built.yaml | sed -n "1p;/^chat/p;/^Buy/p"
echo "## objectives"
cat >nvl.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  site:
    energy: {carbon: 0.3 kgCO2e/kWh}
  candidates:
    allow: [gb200-nvl72]
  workloads:
  - name: chat
    type: inference
    model: qwen3-30b-a3b
    traffic: {requestsPerSecond: 35, inputTokens: 1500, outputTokens: 150, profile: office}
    goal:
      slo: {tpot: 25 ms, ttft: 3 s}
PLAN
for objective in minGpus minPower minCarbon; do
    "$GPUPLAN" size nvl.yaml --objective $objective --detail | sed -n "s/^  layout    //p"
done
