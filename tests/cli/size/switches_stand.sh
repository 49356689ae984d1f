# Switches that stand draw power and take room, whether a job leaves its machine or not: those that
# a pool states, and as many as its connected machines need where it states none.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: switches}
spec:
  site: {power: {itCapacity: 264 kW}, racks: {count: 40}, cooling: {air: {capacity: 400 kW}}}
  cluster: {pools: [{name: own, system: dgx-h100, count: 32}]}
  candidates: [own]
  workloads:
    - {name: tune, type: finetune, model: llama-3.1-8b, data: {tokens: 1B tokens}, goal: {completeWithin: 7d}}
PLAN
for stated in "" ", switches: {leaf: 8, spine: 4}" ", switches: 16" ", connected: 4" ", connected: 0, switches: 2"; do
    echo "# count: 32$stated"
    sed "s/count: 32}/count: 32$stated}/" plan.yaml >stated.yaml
    "$GPUPLAN" size stated.yaml --detail |
        sed -n '/^  power  /p; /^  a year/p; /^  heat  /p; /^  racks  /p; /^  fabric/,/^  storage/p' |
        grep -v '^  storage'
    "$GPUPLAN" check stated.yaml | sed -n '1p; /GP5001/p'
done
echo "# the plan written out says the same"
"$GPUPLAN" export spec stated.yaml | grep -A4 'pools:'
