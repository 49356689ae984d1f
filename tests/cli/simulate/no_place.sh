# What the plan has no place for is simulated as what comes nearest, and said to be.
"$GPUPLAN" simulate "$ROOT/examples/quickstart.yaml" -w chat --requests 50 -f csv \
    --set 'site.power.itCapacity=9 kW' >run.csv || [ $? -eq 1 ]
head -c 40 run.csv
