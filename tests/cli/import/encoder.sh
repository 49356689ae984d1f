for name in google-bert--bert-large-uncased answerdotai--ModernBERT-base; do
    "$GPUPLAN" import file:"$ROOT"/tests/samples/hf/${name}_config.json --now 2027-01-15 >$name.yaml
    "$GPUPLAN" catalog lint $name.yaml >/dev/null
    sed -n '/- id:/,$p' $name.yaml
done
