# Nothing is written onto what was read, whatever it is called; a link is followed.
cp "$ROOT/examples/minimal.yaml" plan.yaml
cp "$ROOT/examples/minimal.yaml" before.yaml
ln -s plan.yaml link.yaml
ln plan.yaml hard.yaml
printf 'apiVersion: gpuplan/v1\nkind: Catalog\nmetadata: {name: own}\nspec: {}\n' >own.yaml
for file in plan.yaml ./plan.yaml link.yaml hard.yaml own.yaml; do
    "$GPUPLAN" size plan.yaml --catalog own.yaml -q -o $file 2>&1 || echo "exit $?"
done
cmp plan.yaml before.yaml
echo old >real.json
mkdir below
ln -s real.json there.json
ln -s below/new.json new.json
ln -s round.json round.json
for file in there.json new.json round.json; do
    "$GPUPLAN" size plan.yaml -q -o $file 2>&1 || echo "exit $?"
done
[ -L there.json ] && [ -L new.json ] && cmp real.json below/new.json && ls below
