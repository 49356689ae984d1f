# A spare is asked for once: where a price list has spares of a kind the plan pays for them, of
# others they are an option. Growth says of which kind the further machines are.
cat >spares.yaml <<'END'
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: spares}
spec:
  currency: USD
  items:
    - {item: spare/gb200-nvl72, price: 3000000 USD}
END
"$GPUPLAN" size "$ROOT/examples/greenfield.yaml" --prices spares.yaml -o report.json >screen
for form in '' --neutral; do
    "$GPUPLAN" export rfp report.json $form | grep -e 'spare:' -e 'further machines.*2027-Q[23]'
done
