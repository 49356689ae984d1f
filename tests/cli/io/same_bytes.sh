# The same input gives the same bytes, whatever the surroundings.
cp "$ROOT/examples/quickstart.yaml" .
"$GPUPLAN" size quickstart.yaml >one
LC_ALL=C.UTF-8 TZ=Asia/Tokyo COLUMNS=200 TERM=xterm SOURCE_DATE_EPOCH=1 \
    "$GPUPLAN" size quickstart.yaml >two
cmp one two
