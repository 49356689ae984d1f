# What is advised for a team's quota leads to no quotas that add up to more than there is.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: quotas}
spec:
  cluster: {pools: [{name: h, system: dgx-h100, count: 4}]}
  candidates: [dgx-h100]
  teams:
    - {name: lab, quota: 24}
    - {name: ops, quota: 8, borrowing: 8}
  workloads:
    - {name: nb, team: ops, type: seats, seats: {atOnce: 12, gpus: 1}}
PLAN
# The fix of each finding about teams.
fixes() {
    "$GPUPLAN" size --format json plan.yaml "$@" >plan.json || echo "exit $?"
    sed -n 's/.*"id":"\(GP304[0-9]\)".*"fix":"\([^"]*\)".*/\1: \2/p' plan.json
}
fixes
fixes --set teams.lab.quota=18 --set teams.ops.quota=14
fixes --set teams.lab.quota=16
fixes --set teams.ops.borrowing=0
fixes --set teams.ops.borrowing=0 --set teams.lab.quota=16
