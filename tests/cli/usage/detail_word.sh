# A word that may be left out: one that is wrong is told, and no file of that name is looked for.
cp "$ROOT/examples/minimal.yaml" plan.yaml
"$GPUPLAN" size plan.yaml --detail al
