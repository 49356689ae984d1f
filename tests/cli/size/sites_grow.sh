# Growth of a service at two sites: each grows where it is, and a limit is that of a site.
"$GPUPLAN" size "$ROOT"/examples/two-sites.yaml --set "growth.horizon=6 quarters" \
    --set growth.scenarios.expected.chat=80%/yr --detail >screen
grep "growth: the limit" screen
sed -n '/^Growth$/,/^Bill/p' screen
