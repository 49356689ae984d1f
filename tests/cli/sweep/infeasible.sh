# Where no point is feasible, the answer is no.
cp "$ROOT/examples/minimal.yaml" .
"$GPUPLAN" sweep minimal.yaml --set workloads.chat.goal.slo.tpot=100us,200us \
    --set candidates.allow='[l40s-8gpu]'
