# Failures are those of machines; preemptions are told beside them, and both cost time.
cat > plan.yaml <<'Y'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: research}
spec:
  cluster:
    pools: [{name: h100, system: dgx-h100, count: 9}]
  workloads:
    - name: pretrain
      type: training
      model: llama-3.1-8b
      data: {tokens: 1.5T, sequenceLength: 8192, globalBatch: 4M}
      goal: {completeWithin: 60d}
Y
for run in '{}' '{preemptedEvery: 10d}' '{preemptedEvery: 10d, mttf: 50yr}'; do
    echo "== $run"
    "$GPUPLAN" size plan.yaml --set "workloads.pretrain.run=$run" --detail 2>/dev/null |
        sed -n '/of the time is/,/^  goal/p'
    "$GPUPLAN" size plan.yaml --set "workloads.pretrain.run=$run" --format json 2>/dev/null |
        grep -oE '"(timeBetweenFailuresS|failures|preemptions|preemptionTimeS)":[0-9.]+'
done
"$GPUPLAN" explain plan.yaml pretrain performance.checkpointIntervalS \
    --set 'workloads.pretrain.run={preemptedEvery: 10d}' 2>/dev/null | grep -A2 timeBetween
