# The bill as cells and as a table.
cp "$ROOT/examples/greenfield.yaml" .
"$GPUPLAN" export bom greenfield.yaml | sed 's/,[0-9a-f]\{64\}$//'
"$GPUPLAN" export bom greenfield.yaml -f markdown | grep -v sha256
