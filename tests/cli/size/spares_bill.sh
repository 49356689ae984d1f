# Spares are a line of the bill of their own for every kind of machine, bought where a list prices
# them; the first screen counts those with the machines, so that counts times prices are the sum.
cat >prices.yaml <<'PRICES'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: ours}
spec:
  currency: EUR
  items:
    - {item: system/dgx-h100, price: 250000 EUR}
PRICES
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: spares}
spec:
  costs: {currency: EUR, prices: ["file:prices.yaml"]}
  candidates: [dgx-h100]
  workloads:
    - {name: pre, type: training, model: llama-3.1-8b, data: {tokens: 1T tokens}, goal: {completeWithin: 45d}}
PLAN
show() {
    "$GPUPLAN" size plan.yaml --detail |
        sed -n '/^Buy/p; /^  Count/,/^ *[0-9]* *[0-9]*  rack/p; /total  /p; /left out/,/^$/p'
    "$GPUPLAN" export bom plan.yaml | cut -d, -f1-6 | grep -E 'role|machine,'
    "$GPUPLAN" export rfp plan.yaml -f csv | cut -d, -f2-5 | grep 'quantities.*machine'
}
echo "# no price of a spare"
show
echo "# a price of a spare"
echo "    - {item: spare/dgx-h100, price: 240000 EUR}" >>prices.yaml
show
