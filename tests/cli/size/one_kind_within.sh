# What is on one kind of machine alone keeps to the limits of the site where it can: 28 machines draw
# least, 26 hold.
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: dc}
spec:
  site:
    altitude: 1500 m
    power: {itCapacity: 2 MW, gpuPowerCap: 80%}
    cooling:
      air: {class: A2, supply: 25 degC, capacity: 300 kW}
      liquid: {class: W32, capacity: 1.5 MW}
      climate: temperate
    energy: {grid: deu}
  candidates: {allow: [gb200-nvl72, dgx-b200], objective: minCarbon}
  workloads:
    - name: pre
      type: training
      model: meta-llama/Llama-3.3-70B
      data: {tokens: 1T}
      goal: {completeWithin: 60 d}
PLAN
for capacity in 300 200; do
    echo "## $capacity kW"
    "$GPUPLAN" size plan.yaml --set "site.cooling.air.capacity=$capacity kW" |
        sed -n '/^All on/,/^Checks/{/^Checks/d;p}'
done
