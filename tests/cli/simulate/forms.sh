spec=$ROOT/examples/quickstart.yaml
"$GPUPLAN" simulate "$spec" --requests 50 -q -o run.json -o run.csv -o run.md -o run.html -o run.svg -o run.txt
for file in run.*; do
    echo "== $file"
    head -c 900 "$file" | head -12 # what it begins with; figures move with the estimators
done
for form in json csv markdown html svg text; do
    extension=$form
    case $form in markdown) extension=md ;; text) extension=txt ;; esac
    "$GPUPLAN" simulate "$spec" --requests 50 -f "$form" | cmp - run.$extension
done
