# A training whose goal is a rate: what today's machines reach and what is needed are rates, too.
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: rate}
spec:
  cluster: {pools: [{name: h, system: dgx-h100, count: 4}]}
  candidates: [dgx-h100]
  workloads:
    - name: tr
      type: training
      model: llama-3.1-8b
      data: {tokens: 50B}
      goal: {throughput: 300000}
END
for also in throughput=300k completeWithin=40h completeWithin=90d; do
    echo "-- $also"
    "$GPUPLAN" size plan.yaml --set "workloads.tr.goal.$also" --detail |
        sed -n '/^tr  /p;/verdict/,/layout/{/layout/!p;}'
done
