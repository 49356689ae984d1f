# Of the contracts that a list has for an instance the one is taken that is cheapest for the use,
# whatever the order of its lines: what is reserved is paid for at all hours, also where it idles.
spec() {
    cat <<PLAN
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: terms}
spec:
  candidates: {allow: ["cloud:aws/p5.48xlarge"], objective: minCost}
  workloads:
    - {name: tune, type: finetune, model: llama-3.1-8b, data: {tokens: 500M}, goal: {every: 7d, maxDuration: 12h}}
    - {name: chat, type: inference, model: llama-3.1-8b, traffic: {requestsPerSecond: 20, inputTokens: 1000, outputTokens: 200}, goal: {slo: {ttft: 2 s}}}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quote}
spec:
  currency: USD
  items:
    - {item: "cloud:aws/p5.48xlarge", price: $1 USD/h, term: $2}
    - {item: "cloud:aws/p5.48xlarge", price: $3 USD/h, term: $4}
PLAN
}
spec 60 "on demand" 35 "reserved 3 years" >plan.yaml
spec 35 "reserved 3 years" 60 "on demand" >swapped.yaml
for f in plan swapped; do
    echo "--- $f"
    "$GPUPLAN" size $f.yaml --detail | sed -n '/^  cloud /,/^  [^ ]/{/^  cloud /p;/^   /p;};/^  cost /p'
done
"$GPUPLAN" explain plan.yaml site cost.rentPerYear | sed -n '/^  with/,/^  from/{/^  from/!p;}'

# Where it is the only price, and where it is corrected by a later line of the same term.
spec 70 "reserved 1 year" 35 "reserved 3 years" >plan.yaml
"$GPUPLAN" size plan.yaml --detail | sed -n '/^  cost /p'
spec 35 reserved 40 reserved >plan.yaml
"$GPUPLAN" size plan.yaml --detail | sed -n '/^  cost /p'
