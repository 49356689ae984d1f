# What a change of software is said to take is what the plan takes with it: replicas that simulation
# finds too many go, too. Checkpoints that are written too often are such a change.
told() {
    sed -n 's/.*"path":"\([^"]*\)","from":"[^"]*","to":"\([^"]*\)",.*/\1=\2/p' changes
}
check() {
    "$GPUPLAN" size "$1" -f json >report.json
    tr -d '\n' <report.json | sed 's/": */":/g; s/, *"/,"/g; s/{"path/\n{"path/g' |
        grep '^{"path":"workloads[^}]*"savedFraction"' >changes
    told | while read -r set; do
        promised=$(grep -F "\"path\":\"${set%=*}\"" changes | grep -F "\"to\":\"${set#*=}\"" |
            sed 's/,"nodes".*//; s/.*"gpus"://')
        name=${set#workloads.}
        "$GPUPLAN" size "$1" --set "$set" -f csv |
            awk -F, -v name="${name%%.*}" -v set="$set" -v told="$promised" '
                NR == 1 { for (i = 1; i <= NF; i++) if ($i == "recommendation.chosen.gpus") at = i }
                $2 == name { print set ": told " told ", takes " $at }'
    done
}
check "$ROOT/examples/media.yaml"
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  cluster:
    pools: [{name: h, system: dgx-h100, count: 32}]
    storage: [{name: s, capacity: 5 TB, readBandwidth: 3 GB/s, writeBandwidth: 0.5 GB/s}]
  candidates: [h]
  workloads:
    - name: pre
      type: training
      model: llama-3.1-70b
      data: {tokens: 200B}
      goal: {completeWithin: 45 d}
      checkpoint: {interval: 1 h, keep: 5}
END
check plan.yaml
