# A limit that is not reached changes nothing, also where a service is shared out over kinds of
# machines and a run beside it may do without one that is bought.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  site:
    energy: {price: 0.1 USD/kWh, carbon: 0.3 kgCO2e/kWh}
  cluster:
    pools:
    - {name: p0, system: dgx-h200, count: 4}
  candidates:
    allow: [dgx-h100]
  workloads:
  - name: w0
    type: inference
    model: llama-3.1-70b-fp8
    traffic: {requestsPerSecond: 5, inputTokens: 3000, outputTokens: 150, profile: office}
    goal:
      slo: {tpot: 25 ms, ttft: 1 s}
  - name: w1
    type: rl
    model: qwen3-30b-a3b
    rl:
      promptsPerStep: 256
      samplesPerPrompt: 8
      promptTokens: 200
      responseTokens: {mean: 3000, peak: 8000}
      steps: 500
    goal: {completeWithin: 3d}
    priority: 50
  - name: w2
    type: lora
    model: qwen3-32b
    adapter: {method: lora, rank: 16}
    data: {tokens: 4M, sequenceLength: 2048}
    jobs: {perWeek: 5, concurrent: 1}
    goal: {maxDuration: 8h}
  - name: w3
    type: rl
    model: qwen3-30b-a3b
    rl:
      promptsPerStep: 128
      samplesPerPrompt: 16
      promptTokens: 200
      responseTokens: {mean: 1000, peak: 8000}
      steps: 200
    goal: {completeWithin: 5d}
PLAN
cat >prices.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: p}
spec:
  currency: USD
  items:
  - {item: system/dgx-h100, price: 307940 USD}
  - {item: system/dgx-h200, price: 286499 USD}
  - {item: switch/qm9700, price: 30000 USD}
  - {item: switch/qm8700, price: 15000 USD}
PLAN
for capacity in '1 MW' '99 kW'; do
    "$GPUPLAN" size plan.yaml --prices prices.yaml --set "site.power.itCapacity=$capacity" |
        sed -n "s/, .* facility//; /^w2/p; /^Buy/p; /^Site/p"
done
