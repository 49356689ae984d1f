# What is told of counts and currencies: a GPU is one GPU, seats are seats and people are people, a
# limit is not to be raised beyond what the spec takes, and the currency of a price list is no
# assumption of another.
cat >seats.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: seats}
spec:
  cluster: {pools: [{name: h, system: dgx-h100, count: 1}]}
  candidates: [h]
  teams: [{name: labs, quota: 4, borrowing: 1}, {name: apps, quota: 1}]
  workloads:
    - {name: counted, team: labs, type: seats, seats: {atOnce: 20, memory: 10 GiB}}
    - {name: known, team: apps, type: seats, seats: {people: 10, present: 40%, memory: 10 GiB}}
PLAN
"$GPUPLAN" size seats.yaml --detail |
    grep -e '^Fix' -e '^  changes'
cat >large.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: large}
spec:
  candidates: [dgx-h100]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: 3e5, inputTokens: 1000, outputTokens: 300}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
PLAN
for rate in 3e5 3e8; do
    "$GPUPLAN" size large.yaml --set workloads.chat.traffic.requestsPerSecond=$rate | grep '^Fix'
done
cat >buy.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: buy}
spec:
  candidates: [dgx-h100]
  workloads:
    - {name: run, type: training, model: llama-3.1-8b, data: {tokens: 10B}, goal: {completeWithin: 30 d}}
PLAN
cat >prices.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: p}
spec: {currency: EUR, items: [{item: system/dgx-h100, price: 300k EUR}]}
PLAN
"$GPUPLAN" size buy.yaml --prices prices.yaml --format json | grep -c costs.currency || true
"$GPUPLAN" size buy.yaml --format json | grep -c costs.currency
