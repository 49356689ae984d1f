echo '# nothing' >plan.yaml
"$GPUPLAN" size plan.yaml
