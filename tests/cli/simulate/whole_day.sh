# A day lasts 24 hours, also where the last request comes long before midnight: a peak far above the
# mean leaves whole hours idle, which count for throughput, power and energy.
cat > plan.yaml <<'Y'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: day}
spec:
  candidates: [dgx-h200]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: {mean: 0.4, peak: 4}, inputTokens: 2000, outputTokens: 300}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
Y
"$GPUPLAN" simulate plan.yaml --process diurnal |
    sed -n '/^arrivals/p; /^requests  /p; /^throughput/p; /^power  /,/^engine/p'
echo "# so many requests are asked for: the day ends with them"
"$GPUPLAN" simulate plan.yaml --process diurnal --requests 2000 | sed -n '/^requests  /p'
