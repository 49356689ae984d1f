head -c 100000 /dev/zero | tr '\0' '[' >plan.yaml
"$GPUPLAN" size plan.yaml
