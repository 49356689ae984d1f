# Who states how often spot machines are reclaimed and allows none is told what they are called;
# their price is also that of the instance with the term spot.
spec() {
    cat <<SPEC
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: spot}
spec:
  candidates: {allow: [$1], objective: minCost, spotInterruptedEvery: 12h}
  workloads:
    - {name: tune, type: finetune, model: llama-3.1-8b, data: {tokens: 500M}, goal: {completeWithin: 2d}}
---
apiVersion: gpuplan/v1
kind: Prices
metadata: {name: q}
spec:
  items:
    - {item: system/l40s-8gpu, price: 90000 USD}
    - {item: "cloud:aws/p5.48xlarge", price: 60 USD/h, term: on demand}
    - {item: "cloud:aws/p5.48xlarge", price: 7 USD/h, term: spot}
SPEC
}
for allow in l40s-8gpu '"cloud:aws/p5.48xlarge"' '"cloud:aws/p5.48xlarge/spot"'; do
    echo "-- $allow"
    spec "$allow" >plan.yaml
    "$GPUPLAN" size plan.yaml --detail | sed -n '/GP6007/{p;n;n;p;};/^Site/s/.*, //p'
done
