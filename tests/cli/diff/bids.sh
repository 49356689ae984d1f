# Two plans of different names, one on each side, are bids for the same work: one table of both.
cat >bidA.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: offer-a}
spec:
  candidates: [dgx-h200]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b
      traffic: {requestsPerSecond: 8, inputTokens: 2000, outputTokens: 400}
      goal: {slo: {ttft: 2s, tpot: 60ms}}
END
sed -e 's/offer-a/offer-b/' -e 's/dgx-h200/dgx-b200/' bidA.yaml >bidB.yaml
"$GPUPLAN" diff bidA.yaml bidB.yaml --width 100 || echo "exit $?"
