# What a team may borrow counts at every point, as it does for size.
"$GPUPLAN" sweep "$ROOT/examples/teams.yaml" --set workloads.notebooks.seats.people=100,150,300
code=0
"$GPUPLAN" size "$ROOT/examples/teams.yaml" --set workloads.notebooks.seats.people=300 -q || code=$?
echo "exit $code"
