# GPUs without MIG: shares under MPS, where they save a machine, and nowhere else.
{
    cat <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: shares}
spec:
  candidates: [l40s-8gpu]
  workloads:
END
    for i in 0 1 2 3 4 5 6 7 8 9; do
        echo "    - {name: s$i, type: inference, model: qwen3-embedding-0.6b, traffic: {requestsPerSecond: 2, inputTokens: 200, outputTokens: 0}, goal: {slo: {ttft: 300 ms}}}"
    done
} >ten.yaml
sed '/s[2-9],/d' ten.yaml >two.yaml
for plan in ten two; do
    "$GPUPLAN" size $plan.yaml --detail | sed -n '/^Site/p;/^s0: /,/^  need/p'
done
sed 's/}}}$/}}, placement: {gpuParts: none}}/' ten.yaml >whole.yaml
"$GPUPLAN" size whole.yaml | sed -n '/^Site/p'
