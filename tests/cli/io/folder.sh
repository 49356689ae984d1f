# plan.yaml and *.plan.yaml, in byte order; nothing else.
mkdir plans
for name in b a; do
    sed "s/name: minimal/name: $name/" "$ROOT/examples/minimal.yaml" >plans/$name.plan.yaml
done
sed 's/name: minimal/name: plain/' "$ROOT/examples/minimal.yaml" >plans/plan.yaml
echo 'not: a plan' >plans/other.yaml
"$GPUPLAN" validate plans plans/
"$GPUPLAN" size plans -f json | grep -o '"plan": *"[a-z]*"'
