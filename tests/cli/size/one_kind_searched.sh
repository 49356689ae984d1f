# A plan of one kind of machine is made again, and then looks for changes of software: kinds that it
# was not chosen among were first searched within memory that was given back.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: kinds}
spec:
  candidates: {allow: [dgx-h200, dgx-b200, l40s-8gpu], objective: minPower}
  cluster:
    pools: [{name: p, system: l40s-8gpu, count: 3}]
  workloads:
    - name: clip
      type: inference
      model: wan2.1-t2v-1.3b
      traffic: {requests: 1600, generate: {width: 832, height: 480, frames: 81}}
      goal: {every: 1d, maxDuration: 10h}
    - name: tr
      type: training
      model: llama-3.1-8b
      data: {tokens: 200B}
      goal: {completeWithin: 40d}
    - name: feed
      type: inference
      model: dlrm-v2
      traffic: {requestsPerSecond: 40000, candidates: 270}
      goal: {slo: {e2e: 60 ms}}
PLAN
"$GPUPLAN" size plan.yaml | grep -E '^(clip|tr|feed|Buy|Site)'
