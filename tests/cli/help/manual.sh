# The committed page is what the program writes.
"$GPUPLAN" help --man | cmp - "$ROOT/docs/gpuplan.1"
