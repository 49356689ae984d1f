printf 'kind: \000\001\002\377Plan\n' >plan.yaml
"$GPUPLAN" size plan.yaml
