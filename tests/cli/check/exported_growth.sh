# A plan that `export spec` declared grows in `check` as it does in `size`, and `capacity` says that it
# carries what it was planned for: replicas are declared for the demand of today.
cat > hall.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: hall}
spec:
  candidates: [dgx-b200]
  workloads:
    - name: chat
      type: inference
      model: meta-llama/Llama-3.3-70B
      traffic: {requestsPerSecond: 20, inputTokens: 2000, outputTokens: 400}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
    - name: pretrain
      type: training
      model: llama-3.1-8b
      data: {tokens: 2T tokens, sequenceLength: 8192, globalBatch: 4M tokens}
      goal: {completeWithin: 90d}
  growth:
    start: 2027-Q1
    horizon: 3 quarters
    scenarios: {expected: {chat: 80%/yr}}
PLAN
"$GPUPLAN" export spec hall.yaml > built.yaml
for command in size check; do
    "$GPUPLAN" $command built.yaml -f json > $command.json
    echo "## $command"
    sed -n '/"growth"/,$ { /"quarter"\|"gpus"\|"nodes"\|"limitHit"/p; }' $command.json | head -12
done
echo "## capacity"
"$GPUPLAN" capacity built.yaml --power 1MW | sed -n '/^declared .*all/,/^[^ d]/p'
