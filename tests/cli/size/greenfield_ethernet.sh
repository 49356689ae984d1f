# 100 GbE in place of InfiniBand: NVLink racks need little of it, but its switch has no price.
"$GPUPLAN" size "$ROOT/examples/greenfield.yaml" --detail answer --set cluster.fabrics.compute.kind=ethernet --set 'cluster.fabrics.compute.rate=100 Gb/s' --set cluster.fabrics.compute.switch=sn4600c >out || echo "exit $?"
sed '/^Next/,$d' out
"$GPUPLAN" size "$ROOT/examples/greenfield.yaml" --set cluster.fabrics.compute.kind=ethernet --set 'cluster.fabrics.compute.rate=100 Gb/s' --set cluster.fabrics.compute.switch=sn4600c -f json >report.json || true
grep -oE '"id": *"GP(2002|4[0-9]{3}|5[0-9]{3}|6[0-9]{3})"' report.json | sort | uniq -c
