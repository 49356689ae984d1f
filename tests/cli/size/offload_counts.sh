# Where state may be kept in host memory, one machine would take months: that says nothing of how
# many are enough, and no more are taken than where it must or must not be.
for states in auto optimizer none; do
    "$GPUPLAN" size - <<PLAN | grep '^tune'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: offloaded}
spec:
  candidates: [dell-xe8640]
  workloads:
    - name: tune
      type: finetune
      model: llama-3.1-70b
      data: {tokens: 1257M tokens}
      goal: {every: 12 d, maxDuration: 3 d}
      offload: {states: $states}
PLAN
done
