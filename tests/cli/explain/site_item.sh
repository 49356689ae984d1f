# Items of lists by their last word, by their path, and groups of figures; a spelling mistake.
cp "$ROOT/examples/greenfield.yaml" .
"$GPUPLAN" explain greenfield.yaml site spine
"$GPUPLAN" explain greenfield.yaml site growth.2028-Q4
"$GPUPLAN" explain greenfield.yaml site racks.0.circuits -f json
"$GPUPLAN" explain greenfield.yaml site facilityPeakPowr 2>&1 || echo "exit $?"
# Of what the plan has none of no name is offered.
"$GPUPLAN" explain "$ROOT"/examples/quickstart.yaml site growth 2>&1 || echo "exit $?"
