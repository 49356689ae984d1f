# The seats of people at notebooks: they serve, and have no model.
"$GPUPLAN" explain "$ROOT/examples/teams.yaml" notebooks
