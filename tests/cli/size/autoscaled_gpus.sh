# GPU-hours of a week count what replicas have: shares of two layouts by each, a part by its share.
cat >shares.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: shares}
spec:
  cluster:
    pools: [{name: old, system: dgx-h100, count: 4}, {name: new, system: dgx-h200, count: 4}]
  workloads:
    - name: chat
      type: inference
      model: llama-3.3-70b
      traffic: {requestsPerSecond: 14, profile: diurnal, inputTokens: 1500, outputTokens: 300}
      goal: {slo: {ttft: 2 s, tpot: 60 ms}}
      placement:
        shares:
          - {pool: old, fraction: 40%, parallelism: {tp: 4}, replicas: 3}
          - {pool: new, fraction: 60%, parallelism: {tp: 8}, replicas: 2}
PLAN
for spec in shares.yaml "$ROOT/examples/small-services.yaml"; do
    "$GPUPLAN" size "$spec" --detail -o out.json | grep -A 2 -m 1 -e '^  autoscale'
    grep -oE '"gpuHours[A-Za-z]*":[0-9.]+' out.json | uniq
done
