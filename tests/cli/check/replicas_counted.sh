# Replicas that are declared are judged as they are: no pools that nobody declared take their place.
{ printf 'apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n'
  cat <<'END'
  cluster: {pools: [{name: h100, system: dgx-h100, count: 2}]}
  workloads:
    - name: assistant
      type: inference
      model: llama-3.1-8b
      replicas: 40
      traffic: {requestsPerSecond: {mean: 30, peak: 60}, inputTokens: 1200, outputTokens: 250}
      goal: {slo: {ttft: 1 s, tpot: 40 ms}}
END
} >plan.yaml
for replicas in 40 9; do
    "$GPUPLAN" check plan.yaml --set workloads.assistant.replicas=$replicas | sed -n '1p;/^error/,$p' ||
        echo "exit $?"
done
