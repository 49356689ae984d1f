# A trace that is not there, and one that is no trace.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: traced}
spec:
  candidates: [dgx-h200]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-8b
      traffic: {profile: {trace: load.csv}}
      goal: {slo: {ttft: 1 s, tpot: 40 ms}}
PLAN
"$GPUPLAN" size plan.yaml || echo "exit $?"
echo "a,b" >load.csv
"$GPUPLAN" size plan.yaml || echo "exit $?"
