# Half the power: pre-training has no place, what is left of the site still has.
"$GPUPLAN" size "$ROOT/examples/greenfield.yaml" --detail answer --set 'site.power.itCapacity=500 kW' >out || echo "exit $?"
sed '/^Next/,$d' out
"$GPUPLAN" size "$ROOT/examples/greenfield.yaml" --set 'site.power.itCapacity=500 kW' -f json >report.json || true
grep -oE '"id": *"GP(2002|4[0-9]{3}|5[0-9]{3}|6[0-9]{3})"' report.json | sort | uniq -c
