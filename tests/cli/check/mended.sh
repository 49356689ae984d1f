# The fix of a check that fails was planned with and holds as a whole: pasted, the check passes. The
# layout is not blamed for a count.
cat > plan.yaml <<'Y'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: ci}
spec:
  site:
    power: {itCapacity: 60 kW}
    racks: {count: 4, maxPower: 32 kW}
    cooling: {air: {capacity: 60 kW}}
  cluster:
    pools: [{name: own, system: dgx-h200, count: 4}]
    fabrics: [{name: compute, kind: infiniband, rate: 400 Gb/s}]
  workloads:
    - name: chat
      type: inference
      model: meta-llama/Llama-3.3-70B
      parallelism: {tp: 4}
      replicas: 5
      software: {engine: vllm, tuning: tuned}
      traffic: {requestsPerSecond: {mean: 5, peak: 24}, inputTokens: 2000, outputTokens: 400}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
    - name: tune
      type: finetune
      model: llama-3.1-8b
      data: {samples: 100k, tokensPerSample: 1500, epochs: 2}
      goal: {every: 7d, maxDuration: 12h}
Y
for replicas in 5 7; do
    "$GPUPLAN" check plan.yaml --set workloads.chat.replicas=$replicas --set workloads.chat.precision.weights=bf16 |
        sed -n '1p;/^error *GP2002/,/^[a-z]*  *GP3/p' | grep -v '^error *GP3' || true
    "$GPUPLAN" check plan.yaml --set workloads.chat.replicas=$replicas -f json |
        grep -oE '"(cluster|workloads)[^"]*=[^"]*"' | tr -d '"' | sort -u | grep -v precision >sets || true
    cat sets
    "$GPUPLAN" check plan.yaml $(sed 's/^/--set /' sets) | sed -n 1p
done
# The hall has no room for more: the limit that it passes is named with it.
"$GPUPLAN" check plan.yaml --set site.power.itCapacity=40kW | sed -n '/GP2002/,/^[a-z]*  *GP3/p' | grep -v GP3 || true
