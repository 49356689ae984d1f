cat >prices.yaml <<'PRICES'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: alone}
spec: {items: [{item: system/dgx-h100, price: 1 USD}]}
PRICES
"$GPUPLAN" size prices.yaml
