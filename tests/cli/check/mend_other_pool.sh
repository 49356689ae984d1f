# What a service lacks is held by another workload, which machines of its other pool would take away:
# what is named holds when it is pasted.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: ci1}
spec:
  site: {power: {itCapacity: 40 kW}, racks: {count: 3, maxPower: 20 kW}, energy: {price: 0.12 USD/kWh}}
  cluster:
    pools: [{name: h, system: dgx-h100, count: 2}, {name: l, system: l40s-8gpu, count: 1}]
  candidates: [dgx-h100, l40s-8gpu]
  workloads:
    - {name: chat, type: inference, model: llama-3.1-70b-fp8, traffic: {requestsPerSecond: {mean: 4, peak: 9}, inputTokens: 1500, outputTokens: 350}, goal: {slo: {ttft: 1500 ms, tpot: 40 ms}}, placement: h}
    - {name: emb, type: inference, model: bge-m3, traffic: {requestsPerSecond: 100, inputTokens: 400, outputTokens: 0}, goal: {slo: {ttft: 200 ms}}, placement: l}
    - {name: tune, type: finetune, model: llama-3.1-8b, data: {tokens: 200M tokens, sequenceLength: 4096, globalBatch: 256k}, goal: {every: 7d, maxDuration: 1d}}
PLAN
"$GPUPLAN" check plan.yaml >screen || echo "exit $?"
grep '^ *fix .*cluster' screen
"$GPUPLAN" check plan.yaml --set 'cluster.pools[1].count=2' | head -1
