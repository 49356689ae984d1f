# The order in which candidates are named changes nothing, the alternatives that fail included.
cat > plan.yaml <<'Y'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  workloads:
    - name: service
      type: inference
      model: qwen3-0.6b
      goal: {slo: {availability: 99.99%}}
Y
for order in 'dgx-b300, mi325x-8gpu, dell-xe8640' 'dell-xe8640, mi325x-8gpu, dgx-b300'; do
    "$GPUPLAN" size plan.yaml --set "candidates.allow=[$order]" -f json 2>/dev/null |
        grep -oE '"(chosen|vertical|horizontal)": ?\{"feasible":[a-z]*,"where":"[a-z]*","system":"[^"]*"'
done
