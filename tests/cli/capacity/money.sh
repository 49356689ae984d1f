# So much money: prices decide how many machines, and without one nobody knows.
cp "$ROOT/examples/hall.yaml" .
sed '/^  workloads:/,$d' hall.yaml >bare.yaml
cat >prices.yaml <<'END'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quotes}
spec:
  currency: USD
  items:
    - {item: system/dgx-b200, price: 480000 USD}
    - {item: system/dgx-h200, price: 300000 USD}
    - {item: part/rack, price: 3000 USD}
END
"$GPUPLAN" capacity bare.yaml --budget '12M USD' --prices prices.yaml --width 100
