# What class, altitude and machines allow is known without a supply temperature.
for supply in '' ', supply: 24 degC'; do
    cat >plan.yaml <<PLAN
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: high}
spec:
  site: {altitude: 1600 m, cooling: {air: {class: A2$supply}}}
  cluster: {pools: [{name: own, system: dgx-h100, count: 1}]}
  workloads:
    - name: tune
      type: finetune
      model: llama-3.1-8b
      data: {tokens: 100M}
      goal: {maxDuration: 1d}
PLAN
    "$GPUPLAN" size plan.yaml --detail all -o out.json | grep -A 1 '^  air '
    grep -o '"airSupplyC":[^,]*\|"airState":[^,]*\|"airMaxC":[^,]*' out.json
done
