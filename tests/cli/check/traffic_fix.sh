# The fix names what is cheapest: a change of software, then machines, the better ones first.
"$GPUPLAN" init --template inference | sed 's/requestsPerSecond: 2/requestsPerSecond: 5/' >more.yaml
"$GPUPLAN" init --template inference | sed 's/requestsPerSecond: 2/requestsPerSecond: 50/' >much.yaml
for plan in more much; do
    "$GPUPLAN" check $plan.yaml -f json >$plan.json || echo "exit $?"
    grep -o '"fix":"[^"]*"' $plan.json | head -1
done
