# Under a limit of power the long run gets the machines that short ones can do without, whatever the
# order of the candidates.
for allow in 'dgx-b200, l40s-8gpu' 'l40s-8gpu, dgx-b200'; do
    "$GPUPLAN" size - <<PLAN | sed -n '/^WORKLOAD/,/^together/p'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: soonest}
spec:
  site: {power: {itCapacity: 64 kW}}
  candidates: {allow: [$allow], objective: minTime}
  workloads:
    - {name: tune, type: lora, model: llama-3.1-8b, data: {tokens: 17M tokens}, jobs: {perWeek: 2}, goal: {maxDuration: 9 h}}
    - {name: chat, type: inference, model: llama-3.1-8b, traffic: {requestsPerSecond: 1.1, inputTokens: 3622, outputTokens: 72}, goal: {slo: {ttft: 2550 ms, tpot: 36 ms}}}
    - {name: adapt, type: lora, model: qwen3-32b, data: {tokens: 33M tokens}, jobs: {perWeek: 23}, goal: {maxDuration: 16 h}}
    - {name: pretrain, type: training, model: llama-3.1-8b, data: {tokens: 31B tokens}, goal: {every: 13 d, maxDuration: 2 d}}
PLAN
done
