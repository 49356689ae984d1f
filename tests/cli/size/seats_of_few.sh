# A person who is rarely there needs a seat all the same, and headroom keeps none free for people who
# do not exist: 8 of 8, not 9.
plan() {
    cat <<PLAN
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: lab}
spec:
  candidates: [dgx-h100]
  workloads:
    - {name: notebooks, type: seats, seats: {people: $1, present: $2}}
PLAN
}
for seats in '1 1%' '8 100%' '30 95%'; do
    plan $seats >plan.yaml
    "$GPUPLAN" size plan.yaml | sed -n '/^notebooks/p;/^Site/p'
done
