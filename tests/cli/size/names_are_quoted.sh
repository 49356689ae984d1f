# Names that a shell or a terminal would read stay harmless.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: x}
spec:
  candidates: [dgx-h200]
  workloads:
    - {name: "a b\e[31m", type: inference, model: llama-3.1-8b}
PLAN
cp plan.yaml 'my plan.yaml'
"$GPUPLAN" size 'my plan.yaml' --detail answer | sed -n '/^Next/,$p'
"$GPUPLAN" size 'my plan.yaml' -o report.md -q
if grep "$(printf '\033')" report.md; then exit 1; fi
