# A machine that is lost may be the fullest: one spare replica is no spare for it, and stating one
# does not make a plan look more available than it is.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  candidates: {allow: [dgx-h200], objective: minGpus}
  workloads:
    - name: chat
      type: inference
      model: gpt-oss-120b
      traffic: {requestsPerSecond: 20, inputTokens: 3000, outputTokens: 300}
      goal: {slo: {ttft: 3 s, availability: 99%}}
PLAN
for spares in 0 1 2; do
    echo "## $spares"
    "$GPUPLAN" size plan.yaml --set workloads.chat.scaling.spareReplicas=$spares \
        --detail | sed -n "s/^  layout    //p"
done
echo "## a spare more never makes it less available"
cat >asked.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  candidates: {allow: [dgx-a100], objective: minPower}
  workloads:
    - name: w
      type: inference
      model: qwen3-14b
      traffic: {requestsPerSecond: 10.28, inputTokens: 1500, outputTokens: 150, prefixCacheHit: 60%}
      goal: {slo: {tpot: 30 ms, availability: 99%}}
PLAN
for spares in 0 1 2 3; do
    "$GPUPLAN" size asked.yaml --set workloads.w.scaling.spareReplicas=$spares |
        sed -n '1p;/^w  /p'
done
