# The pages of the documents name every key of their schema, and roff finds nothing strange.
for kind in spec policy calibration config; do
    "$GPUPLAN" help --man $kind >page.5
    head -3 page.5
    "$GPUPLAN" schema $kind -f markdown | sed -n 's/^| `\([A-Za-z0-9]*\)`.*/\1/p' | sort -u >keys
    sed -n 's/^\\fB\([A-Za-z0-9]*\)\\fR:.*/\1/p' page.5 | sort -u | diff keys -
    test -s keys
done
"$GPUPLAN" help --man nothing 2>&1 || echo "exit $?"
