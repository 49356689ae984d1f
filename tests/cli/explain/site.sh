# Every figure of the site that is not nothing, with what it rests on.
cp "$ROOT/examples/greenfield.yaml" .
"$GPUPLAN" explain greenfield.yaml site >out
sed -n '1,/^Figures/p' out
# Each figure has a term of its own below, with a formula.
sed -n '/^Figures/,/^$/s/^  \([^ ]*\) = .*from \(.*\)/\1 \2/p' out | while read -r path term; do
    grep -q "^$term.* = " out || echo "no term of $path"
done
"$GPUPLAN" explain greenfield.yaml site cost.breakEvenFraction
