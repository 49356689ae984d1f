# A bid that leaves out what the other has a price of is not the cheaper one: its sums are marked,
# and what they are without is named. A change that makes no plan by itself is told as such.
cat >bidA.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: bid-a}
spec:
  site: {energy: {price: 0.14 USD/kWh}}
  candidates: {allow: [dgx-h200], objective: minCost}
  costs: {currency: USD, amortization: 48 mo, prices: ["file:a-prices.yaml"]}
  workloads:
    - name: tune
      type: finetune
      model: llama-3.1-8b
      data: {tokens: 8B tokens, sequenceLength: 4096, globalBatch: 256k}
      goal: {every: 7d, maxDuration: 2d}
END
sed -e 's/bid-a/bid-b/' -e 's/dgx-h200/dgx-b200/' -e 's/a-prices/b-prices/' bidA.yaml >bidB.yaml
cat >b-prices.yaml <<'END'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: vendor}
spec:
  currency: USD
  items:
    - {item: system/dgx-b200, price: 470000 USD}
    - {item: switch/sn2201, price: 6000 USD}
    - {item: part/rack, price: 4000 USD}
    - {item: part/managementCable, price: 15 USD}
END
sed 's/dgx-b200/dgx-h200/; s/470000/310000/' b-prices.yaml >a-prices.yaml
cat >>a-prices.yaml <<'END'
    - {item: spare/dgx-h200, price: 310000 USD}
    - {item: part/installation, price: 5000 USD}
END
"$GPUPLAN" diff bidA.yaml bidB.yaml --width 100 | sed '/^tune/,$d'
