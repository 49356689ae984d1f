# What was not assessed is no case that passes: it is skipped, with the key to add or with what was
# not judged. What the key is there for is a case again.
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: bare}
spec:
  cluster: {pools: [{name: own, system: dgx-h200, count: 2}]}
  workloads:
    - name: tune
      type: finetune
      model: llama-3.1-8b
      data: {tokens: 1B tokens}
END
gate() {
    "$GPUPLAN" check plan.yaml -f "$@" || true
}
gate tap | grep -E '^ok .* (GP(3002|3003|3005|3011|500[124]|6002)) '
gate junit | grep -A1 -E 'testsuite |GP(3003|3011) '
gate tap --set site.power.itCapacity=60kW --set 'costs.budget.capital=1M USD' |
    grep -E '^ok .* (GP(5001|5004|6002)) '
