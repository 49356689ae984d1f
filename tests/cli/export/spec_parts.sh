# Services on parts of GPUs: from the spec that is written their parts are found again, and they
# take no more GPUs.
cp "$ROOT/examples/small-services.yaml" mig.yaml
{
    cat <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: mps}
spec:
  candidates: [l40s-8gpu]
  workloads:
    - {name: chat, type: inference, model: qwen3-8b, traffic: {requestsPerSecond: 2, inputTokens: 500, outputTokens: 200}, goal: {slo: {tpot: 50 ms}}}
END
    for i in 0 1 2 3 4 5 6 7 8 9; do
        echo "    - {name: s$i, type: inference, model: qwen3-embedding-0.6b, traffic: {requestsPerSecond: 2, inputTokens: 200, outputTokens: 0}, goal: {slo: {ttft: 300 ms}}}"
    done
} >mps.yaml
for plan in mig mps; do
    "$GPUPLAN" export spec $plan.yaml -o built.yaml
    "$GPUPLAN" check -q built.yaml && echo "$plan: holds"
    "$GPUPLAN" size -f json $plan.yaml >planned.json
    "$GPUPLAN" size -f json built.yaml >built.json
    for report in planned built; do
        grep -o '"chosen":{[^}]*' $report.json |
            grep -oE '"(system|gpus|nodes|replicas|gpuPart|layout)":("[^"]*"|[0-9]*|null)' >$report.txt
    done
    cmp planned.txt built.txt && grep '"layout"' built.txt | sort | uniq -c
    "$GPUPLAN" size built.yaml | grep -E '^(Buy|Site)'
done
"$GPUPLAN" export spec mps.yaml | sed -n '/name: chat/,/name: s1/p'
