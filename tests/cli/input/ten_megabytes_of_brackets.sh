head -c 10000000 /dev/zero | tr '\0' '[' >plan.yaml
"$GPUPLAN" size plan.yaml
