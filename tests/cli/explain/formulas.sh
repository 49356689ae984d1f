# Formulas whose terms, as printed, give the figure: 24 machines of 8 GPUs fail, whoever works on
# them; a pool is that of all GPUs of a replica, and what one of them reads is its share.
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: serving}
spec:
  cluster:
    pools: [{name: own, system: dgx-h100, count: 24}]
  workloads:
    - name: assistant
      type: inference
      model: meta-llama/Llama-3.3-70B
      parallelism: {tp: 8}
      traffic: {requestsPerSecond: 6, inputTokens: 1500, outputTokens: 350}
      goal: {slo: {ttft: 1.5 s, tpot: 40 ms}}
END
term() {
    "$GPUPLAN" explain plan.yaml "$1" "$2" | sed -n "/^$3 =/,/^\$/p"
}
term site reliability interruptionsPerMonth
for name in kvPoolTokens kvRead decodeGemmTime activationReserve; do
    term assistant $name $name
done
