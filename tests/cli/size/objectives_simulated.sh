# A kind of machine beside the choice is known by the closed form alone until another objective's
# choice is simulated: minCost took 418k USD a year where minPower's plan came to 385k. And a fourth
# kind among the candidates crowded out the one that a service is best shared out over.
cat >prices.yaml <<'PRICES'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: p}
spec:
  currency: USD
  items:
    - {item: system/dgx-h100, price: 260000 USD}
    - {item: system/dgx-h200, price: 280000 USD}
    - {item: system/dgx-b200, price: 450000 USD}
    - {item: system/l40s-8gpu, price: 90000 USD}
    - {item: switch/qm9700, price: 28000 USD}
    - {item: switch/qm8700, price: 15000 USD}
    - {item: switch/sn4700, price: 20000 USD}
PRICES
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: two}
spec:
  site: {energy: {price: 0.12 USD/kWh}}
  candidates: {allow: [dgx-h100, dgx-h200, l40s-8gpu]}
  workloads:
    - name: chat
      type: inference
      model: qwen3-32b
      traffic: {requestsPerSecond: 12, inputTokens: 500, outputTokens: 1000}
      goal: {slo: {ttft: 2 s, tpot: 30 ms}}
    - name: nightly
      type: inference
      model: qwen3-32b
      traffic: {requests: 1M, inputTokens: 3000, outputTokens: 300}
      goal: {every: 1d, maxDuration: 10h}
PLAN
for objective in minCost minPower minGpus; do
    "$GPUPLAN" size plan.yaml --prices prices.yaml --objective $objective | grep "^Site" |
        sed "s/^Site/$objective/"
done
cat >shared.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: shared}
spec:
  site: {energy: {price: 0.12 USD/kWh}}
  candidates: {allow: [dgx-b200, dgx-h200, own], objective: minCost}
  cluster: {pools: [{name: own, system: l40s-8gpu, count: 2}]}
  workloads:
    - name: chat
      type: inference
      model: qwen3-32b
      traffic: {requestsPerSecond: 12, inputTokens: 500, outputTokens: 400}
      goal: {slo: {ttft: 4 s, tpot: 30 ms}}
PLAN
"$GPUPLAN" size shared.yaml --prices prices.yaml | grep "^Buy\|^Site"
"$GPUPLAN" size shared.yaml --prices prices.yaml --set 'candidates.allow=["dgx-b200","dgx-h200","dgx-h100","own"]' | grep "^Buy\|^Site"
