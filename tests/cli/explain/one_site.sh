# A figure of one of several sites; of their sum there are no steps.
"$GPUPLAN" explain "$ROOT"/examples/two-sites.yaml lulea energyJPerYear | sed -n '1,/^itMeanPower/p' | sed "s|$ROOT/||"
"$GPUPLAN" explain "$ROOT"/examples/two-sites.yaml site itW 2>&1 || echo "exit $?"
