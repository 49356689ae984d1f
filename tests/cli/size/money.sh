# What has a price is summed, what has none is named; spares, circuits and installation count where
# a list has them. Then everything that a cluster needs has a price.
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: bought}
spec:
  site:
    power: {circuits: {phases: 3, voltage: 415 V, current: 63 A}}
    racks: {maxPower: 40 kW}
  candidates: [dgx-b200]
  costs: {support: 5%/yr, discountRate: 6%/yr}
  workloads:
    - name: pre
      type: training
      model: llama-3.1-8b
      data: {tokens: 2T tokens, sequenceLength: 8192, globalBatch: 4M tokens}
      goal: {completeWithin: 30d}
END
cat >some.yaml <<'END'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: some}
spec:
  currency: USD
  items:
    - {item: system/dgx-b200, price: 480000 USD}
    - {item: part/rack, price: 3000 USD}
END
cat >more.yaml <<'END'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: more}
spec:
  currency: USD
  items:
    - {item: switch/qm9700, price: 30000 USD}
    - {item: spare/dgx-b200, price: 450000 USD}
    - {item: part/circuit, price: 2500 USD}
    - {item: part/installation, price: 4000 USD}
    - {item: part/cable, price: 200 USD}
    - {item: part/transceiver, price: 900 USD}
END
show() {
    echo "## $*"
    "$GPUPLAN" size plan.yaml --detail "$@" -o report.json >out
    grep -E -A4 '^  (cost|left out) ' out | sed '/^$/,$d'
    grep -E '^ *power .* facility' out
    sed -n '/"summary"/,/^  }/p' report.json | grep -E '^    "(capital|costPerYear)"' || true
}
show --prices some.yaml
show --prices some.yaml --set 'site.energy.price=0.12 USD/kWh'
show --prices some.yaml --prices more.yaml --set 'site.energy.price=0.12 USD/kWh'
"$GPUPLAN" export bom report.json | grep -E 'spare machine|circuit|installation'
