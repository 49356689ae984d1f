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
# Priced, with a cluster that carries it: totals that are the same on both sides stand in the table.
cat >prices.yaml <<'END'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quote}
spec:
  currency: USD
  items:
    - {item: system/dgx-h200, price: 300000 USD}
    - {item: system/dgx-b200, price: 480000 USD}
END
sed -e 's/offer-b/offer-c/' -e 's/candidates: .*/cluster: {pools: [{name: own, system: dgx-b200, count: 2}]}/' bidB.yaml >bidC.yaml
"$GPUPLAN" diff bidB.yaml bidC.yaml --prices prices.yaml --width 100 || echo "exit $?"
"$GPUPLAN" diff bidA.yaml bidB.yaml --prices prices.yaml -f markdown | sed -n '/^## /p;/### Figures/,/^| chat/p'
