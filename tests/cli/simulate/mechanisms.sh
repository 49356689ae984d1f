# Pools, failure, autoscaling and a router that knows prefixes, in one run; it misses a goal.
"$GPUPLAN" simulate "$ROOT/examples/inference-site.yaml" -w agents --requests 1500 --replicas 4 \
    --prefill-replicas 2 --outage 3@20+60 --autoscale 3:6 --router prefixAware --prefix-groups 8 \
    --set workloads.agents.goal.slo.tpot=1ms
