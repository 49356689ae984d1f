cp "$ROOT"/tests/samples/lock/* .
"$GPUPLAN" explain plan.yaml chat parameters --locked | grep '^parameters'
"$GPUPLAN" size plan.yaml -f json --locked | sed -n '/"lock"/,/}/p; s/.*"rentPerYear": \([0-9.]*\).*/rent \1/p'
