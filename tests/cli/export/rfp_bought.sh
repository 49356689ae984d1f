# What stands is not put out to tender: racks and switches in the numbers that the screen says to
# buy, none of what is there already.
"$GPUPLAN" size "$ROOT/examples/quickstart.yaml" | grep '^Buy' -A1
"$GPUPLAN" export rfp "$ROOT/examples/quickstart.yaml" | grep quantities | grep -E 'rack|switch|storage'
