# What is declared of two sites, judged at each: the service has too few machines, the rest holds.
"$GPUPLAN" check "$ROOT"/examples/two-sites.yaml --detail | sed "s|$ROOT/||" || true
