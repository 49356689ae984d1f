# Reports that `size` wrote: what fails with all that may be bought fails, and the exit says so as
# that of the specs does, also of one report and one spec.
cat >base.yaml <<'EOF'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: declared}
spec:
  site: {power: {itCapacity: 40 kW}}
  cluster:
    pools: [{name: own, system: dgx-h200, count: 3}]
  workloads:
    - name: chat
      type: inference
      model: meta-llama/Llama-3.3-70B
      parallelism: {tp: 4}
      replicas: 6
      traffic: {requestsPerSecond: {mean: 5, peak: 9}, inputTokens: 2000, outputTokens: 400}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
EOF
sed 's/peak: 9/peak: 50/' base.yaml >head.yaml
"$GPUPLAN" size -q base.yaml -o base.json
"$GPUPLAN" size -q head.yaml -o head.json && exit 1
try() {
    code=0
    "$GPUPLAN" diff "$@" -f markdown >out || code=$?
    echo "$*: $code: $(sed -n 's/^## gpuplan: //p' out)"
}
try base.yaml head.yaml
try base.json head.json
try base.yaml head.json
try base.json head.yaml
try head.json head.json
try head.json base.json
try base.json base.json
try base.json base.json --fail-on note
# What `size` wrote of a spec is what that spec comes to: neither the digits that a report leaves out
# nor findings that only `check` has not, or that rest on other plans, are changes.
"$GPUPLAN" size -q base.yaml -o base.json
"$GPUPLAN" diff base.json base.yaml
sed 's/peak: 9/peak: 10/' base.yaml >near.yaml
"$GPUPLAN" diff base.json near.yaml | sed -n '1p;/^Changes/,/^$/p;/power/p'
