# Where some machines of a pool need their fabric, it stands for all that are connected: idle ones
# are not left while others are bought, to do with fewer switches.
pool() {
    cat <<PLAN
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  candidates: {allow: [l40s-8gpu], objective: minPower}
  cluster:
    pools: [{name: p0, system: l40s-8gpu, count: 12}]
    storage: [{name: st, capacity: 20 PB, readBandwidth: 2 TB/s, writeBandwidth: 1 TB/s}]
  workloads:
PLAN
    for name in "$@"; do
        cat <<PLAN
    - name: $name
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: {mean: 20, peak: 60}, inputTokens: 3000, outputTokens: 100}
      goal: {slo: {ttft: 4 s, tpot: 60 ms}}
      disaggregated: true
      prefill: {parallelism: {tp: 1}, replicas: 15}
      decode: {parallelism: {tp: 4}, replicas: 2}
      placement: {pool: p0}
PLAN
    done
}
pool s0 s1 s2 >three.yaml
pool s0 s1 s2 s3 >four.yaml
for plan in three four; do
    "$GPUPLAN" size $plan.yaml --detail | sed -n "1p;/^Buy/p;/^  fabric/,/^  [a-eg-z]/{/leaf\|leaves/p}"
done
