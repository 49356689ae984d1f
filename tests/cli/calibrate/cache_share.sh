# The share of memory that engines take: of one engine, or of all where none is named; one of each.
cat >own.yaml <<'OWN'
apiVersion: gpuplan/v1
kind: Calibration
metadata: {name: own}
spec:
  factors:
    - {class: {}, term: cacheShare, factor: 0.9, samples: 1}
    - {class: {engine: sglang}, term: cacheShare, factor: 0.8, samples: 1}
OWN
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  candidates: [dgx-h100]
  workloads:
    - name: w
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: 2, inputTokens: 1000, outputTokens: 200}
      goal: {slo: {ttft: 4 s, tpot: 80 ms}}
PLAN
share() { "$GPUPLAN" explain plan.yaml w memory.kvPoolTokens "$@" | grep -e serving.kv.utilization -e 'calibration own:' || true; }
share
share --calibration own.yaml
sed 's/engine: sglang/engine: none-such/' own.yaml >other.yaml
"$GPUPLAN" size plan.yaml --calibration other.yaml 2>&1 || echo "exit $?"
sed 's/{engine: sglang}/{}/' own.yaml >twice.yaml
"$GPUPLAN" size plan.yaml --calibration twice.yaml 2>&1 || echo "exit $?"
