# Without liquid cooling the rack-scale systems have no place: air-cooled machines take theirs.
"$GPUPLAN" size "$ROOT/examples/greenfield.yaml" --detail answer --set 'site.cooling.liquid.capacity=0 kW' >out || echo "exit $?"
sed '/^Next/,$d' out
"$GPUPLAN" size "$ROOT/examples/greenfield.yaml" --set 'site.cooling.liquid.capacity=0 kW' -f json >report.json || true
grep -oE '"id": *"GP(2002|4[0-9]{3}|5[0-9]{3}|6[0-9]{3})"' report.json | sort | uniq -c
