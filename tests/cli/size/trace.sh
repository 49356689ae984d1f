# A trace of two days: an hour of the afternoon has twice the requests of one of the morning, and one
# minute of it twice those of the others. Lengths and rate come from it too.
mkdir plans
awk 'BEGIN {
    print "TIMESTAMP,ContextTokens,GeneratedTokens"
    for (t = 0; t <= 172800; t += 1) {
        gap = t % 86400 < 43200 ? 10 : 5
        if (t % 86400 == 60000 - 60000 % 60) burst = t + 60
        if (t < burst) gap = gap / 2 > 2.5 ? gap / 2 : 2
        if (t % gap == 0) print t ",1000," (t % 20 == 0 ? 300 : 100)
    }
}' >plans/load.csv
cat >plans/plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: traced}
spec:
  candidates: [dgx-h200]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-8b
      traffic: {profile: {trace: load.csv}}
      goal: {slo: {ttft: 1 s, tpot: 40 ms}}
PLAN
"$GPUPLAN" size plans/plan.yaml -f json >report.json
grep -o '"traffic":{[^}]*}' report.json
grep -o '"hour":' report.json | grep -c .
"$GPUPLAN" size plans/plan.yaml --set workloads.chat.traffic.requestsPerSecond=50 -f json | grep -o '"peakRequestsPerS":[^,]*'
