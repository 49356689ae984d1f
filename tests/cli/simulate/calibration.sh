# A calibration moves what is simulated, from the flag as from the spec; export takes it, too.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: t}
spec:
  candidates: [dgx-h100]
  workloads:
    - name: w
      type: inference
      model: llama-3.1-8b
      traffic: {requestsPerSecond: {mean: 4, peak: 6}, inputTokens: 1000, outputTokens: 200}
      goal: {slo: {ttft: 4 s, tpot: 80 ms}}
PLAN
cat >own.yaml <<'OWN'
apiVersion: gpuplan/v1
kind: Calibration
metadata: {name: own}
spec:
  factors:
    - {class: {gpu: h100-sxm, precision: bf16}, term: decodeEfficiency, factor: 0.5, samples: 9}
OWN
sed 's/^spec:/spec:\n  calibration: [file:own.yaml]/' plan.yaml >with.yaml
tpot() { "$GPUPLAN" simulate "$@" --requests 500 -f json | grep -A4 '"tpotS"'; }
tpot plan.yaml >built-in
tpot plan.yaml --calibration own.yaml >flag
tpot with.yaml >spec
test -s flag
cmp -s built-in flag || echo "the calibration moves it"
cmp -s flag spec && echo "the same from the spec"
exported() { "$GPUPLAN" export k8s "$@" | grep -v sha256; }
exported plan.yaml --calibration own.yaml >flag
exported with.yaml >spec
test -s flag
cmp flag spec && echo "the same for what is exported"
