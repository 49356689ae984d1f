# Neither is a day of the calendar.
"$GPUPLAN" check "$ROOT/examples/minimal.yaml" --now 2027-02-31 || true
"$GPUPLAN" check "$ROOT/examples/minimal.yaml" --now tomorrow
