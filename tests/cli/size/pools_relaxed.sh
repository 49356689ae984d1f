# A looser goal never takes more machines, whatever is to be least: pools that save nothing by the
# formula are simulated, too.
cat >prices.yaml <<'END'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quote}
spec:
  currency: USD
  items: [{item: system/mi300x-8gpu, price: 200000 USD}]
END
for tpot in 60 80; do
    for objective in minCost minMachines minGpus; do
        cat >plan.yaml <<END
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: relaxed}
spec:
  candidates: {allow: [mi300x-8gpu], objective: $objective}
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b-fp8
      traffic: {requestsPerSecond: {mean: 11, peak: 22}, inputTokens: 1500, outputTokens: 350}
      goal: {slo: {ttft: 4 s, tpot: $tpot ms}}
END
        echo "$tpot ms, $objective"
        "$GPUPLAN" size plan.yaml --prices prices.yaml | grep -E '^(Buy|Site)'
    done
done
