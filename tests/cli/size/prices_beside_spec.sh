# file: entries are relative to the spec.
mkdir plans
cp "$ROOT/examples/minimal.yaml" plans/plan.yaml
cat >plans/quote.yaml <<'PRICES'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: quote}
spec: {source: quote 1, items: [{item: system/dgx-h100, price: 250000 USD}]}
PRICES
"$GPUPLAN" size plans/plan.yaml -f json --set 'candidates.allow=[dgx-h100]' \
    --set 'costs.prices=["file:./quote.yaml"]' | grep -o '"path": *"plans/quote.yaml"\|"capital": *[0-9.]*' | sort -u
