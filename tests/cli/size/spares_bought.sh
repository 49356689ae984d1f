# Spares that no pool has are bought with the machines, and the plan, exported, keeps them. The
# objective that is asked for goes before the spec's, auto, too.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: spares}
spec:
  candidates: {allow: [dgx-h100], objective: minGpus}
  cluster: {reserve: {spareNodes: 3}}
  workloads:
    - name: tr
      type: training
      model: llama-3.1-8b
      data: {tokens: 200B}
      goal: {completeWithin: 40d}
PLAN
"$GPUPLAN" size plan.yaml | grep -E '^(tr|Buy|Site)'
"$GPUPLAN" export spec plan.yaml >declared.yaml
grep -A4 '^  cluster' declared.yaml
"$GPUPLAN" size declared.yaml | grep -E '^(tr|Buy|Site)'
for objective in minGpus auto; do
    "$GPUPLAN" size plan.yaml --objective "$objective" --format json |
        grep -oE '"objective": *"[a-zA-Z]*"|"objectiveWasAuto": *[a-z]*'
done
# They stay spare while services grow: as many more in each quarter, needed on the same days.
cat >grows.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: grows}
spec:
  candidates: {allow: [dgx-h100]}
  growth: {start: 2027-Q1, horizon: 4 quarters, scenarios: {expected: {chat: 20%/mo}}}
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b
      traffic: {requestsPerSecond: 12, inputTokens: 1200, outputTokens: 300}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
PLAN
for spares in 0 2; do
    "$GPUPLAN" size grows.yaml --set "cluster.reserve.spareNodes=$spares" --detail |
        sed -n '/^  Quarter  GPUs/,/^$/p'
done
