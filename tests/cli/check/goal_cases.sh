# A case for every goal that is met and for every rule of a policy that holds; what fails or is not
# judged is a finding's. One note more than the form shows is one note.
cat >plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: ci}
spec:
  site:
    power: {itCapacity: 60 kW}
    racks: {count: 4}
  cluster:
    pools:
      - {name: h200, system: dgx-h200, count: 4}
    fabrics:
      - {name: compute, kind: infiniband, rate: 400 Gb/s, switch: qm9700}
  workloads:
    - name: chat
      type: inference
      priority: 10
      model: meta-llama/Llama-3.3-70B
      parallelism: {tp: 4}
      replicas: 4
      traffic: {requestsPerSecond: {mean: 4, peak: 8}, inputTokens: 2000, outputTokens: 300}
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
    - name: tune
      type: finetune
      model: meta-llama/Llama-3.1-8B
      data: {tokens: 500M, epochs: 1}
      goal: {every: 7d, maxDuration: 20h}
END
cat >policy.yaml <<'END'
apiVersion: gpuplan/v1
kind: Policy
metadata: {name: house}
spec:
  rules:
    - {id: ORG-001, select: {workload.type: inference}, assert: "memory.headroomFraction >= 1%"}
    - {id: ORG-002, assert: "summary.gpus <= 400", message: No more than 400 GPUs.}
    - {id: ORG-003, assert: "summary.gpus <= 4", level: warning}
  levels: {GP3008: note}
END
for form in junit tap json; do
    "$GPUPLAN" check plan.yaml --policy policy.yaml -f $form >out.$form
done
grep 'testcase name="[^G]' out.junit
grep -E 'ok .*(goal |ORG)' out.tap
sed -n '/"heldRules"/,/]/p' out.json
"$GPUPLAN" check plan.yaml --policy policy.yaml -f github | grep ' more '
