# Each schema is there and is what it says.
for kind in spec catalog prices policy report; do
    "$GPUPLAN" schema $kind >schema.json
    echo "$(head -c 1 schema.json) $kind"
done
for kind in spec catalog prices policy; do
    "$GPUPLAN" schema $kind -f markdown >schema.md
    head -1 schema.md
done
"$GPUPLAN" schema document | cmp - "$ROOT/docs/gpuplan.schema.json"
"$GPUPLAN" schema spec -f markdown | cmp - "$ROOT/docs/spec-reference.md"
