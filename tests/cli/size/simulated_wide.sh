# A replica over many machines may run a hundred thousand requests at once: what is simulated takes
# memory for those that it has, and the plans beside it are made.
cat >plan.yaml <<'EOF'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: wide}
spec:
  site: {power: {itCapacity: 300 kW}}
  candidates: [dgx-b200]
  workloads:
    - name: chat
      type: inference
      model: deepseek-v3
      traffic: {requestsPerSecond: 4, profile: diurnal, inputTokens: 3000, outputTokens: 500}
      goal: {slo: {ttft: 3 s, tpot: 15 ms, availability: 99.9%}}
EOF
"$GPUPLAN" size plan.yaml | grep -A1 '^WORKLOAD'
