# What nobody stated is neither 0 nor ok nor a reason against a plan: adapters, prices, image sizes,
# heights and weights, host memory.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: unknown}
spec:
  site: {racks: {count: 8, maxWeight: 900 kg}}
  cluster: {pools: [{name: oem, system: {gpu: h100-sxm, gpus: 8}, count: 4}]}
  candidates: [oem, dgx-h200]
  workloads:
    - {name: vision, type: inference, model: qwen3-vl-32b, traffic: {requestsPerSecond: 4, inputTokens: 600, outputTokens: 300, images: 4}, goal: {slo: {ttft: 3 s, tpot: 50 ms}}}
    - {name: tune, type: finetune, model: llama-3.1-8b, data: {tokens: 100M tokens}, goal: {completeWithin: 5d}, offload: optimizer}
  growth: {horizon: 2 quarters, scenarios: {expected: {vision: 10%/quarter}}}
  costs: {budget: {capital: 1M USD, recurring: 200k USD/yr}}
PLAN
"$GPUPLAN" size plan.yaml -f json >report.json
grep -oE '"(used|renewableFraction|staffPerYear|colocationPerYear|capital)": ?[^,}]*' report.json | tr -d ' ' | sort | uniq -c | tr -s ' '
"$GPUPLAN" size plan.yaml --detail all 2>/dev/null >report.txt
sed -n '/^WORKLOAD/,/^Findings/p' report.txt
grep -A2 -E 'GP(2005|5011|6001|6006)|^  racks  |images.edge' report.txt
# A model that does not say what an image becomes is asked for it.
sed -i '/name: tune/d; s/model: qwen3-vl-32b/model: {extends: llama-3.1-8b, vision: {layers: 32, hidden: 1280, ffn: 5120, heads: 16}}/' plan.yaml
"$GPUPLAN" validate plan.yaml
