cat >runs.csv <<'RUNS'
id,kind,model,gpus,gpu,precision,gbs_sequences,mbs,seq_len,tp,pp,framework,tokens_per_s_per_gpu,iteration_s,date
a,pretrain,llama-3.1-8b,64,h100-sxm,bf16,64,1,8192,1,1,NeMo,8000,,2026-09-03
b,pretrain,llama-3.1-8b,64,h100-sxm,bf16,128,1,8192,1,1,NeMo,8100,,2026-09-20
c,pretrain,llama-3.1-8b,64,h100-sxm,bf16,128,1,8192,1,1,NeMo,40000,,2026-09-21
RUNS
"$GPUPLAN" calibrate runs.csv --name dc-west | sed 's/[0-9.]*[0-9]%/N%/g; s/: [0-9.]*[0-9]$/: N/; s/p10: [0-9.]*, p90: [0-9.]*/p10: N, p90: N/'
"$GPUPLAN" calibrate runs.csv -o one.yaml 2>/dev/null
"$GPUPLAN" calibrate runs.csv -o two.yaml 2>/dev/null
cmp one.yaml two.yaml
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: own}
spec:
  candidates: {allow: [dgx-h100]}
  workloads:
    - name: pretrain
      type: training
      model: llama-3.1-8b
      data: {tokens: 100B tokens, sequenceLength: 8192, globalBatch: 1M tokens}
      goal: {completeWithin: 20d}
      precision: bf16
PLAN
"$GPUPLAN" size plan.yaml -f json --calibration one.yaml >flag.json
sed 's/^spec:/spec:\n  calibration: [file:one.yaml]/' plan.yaml >with.yaml
"$GPUPLAN" size with.yaml -f json >spec.json
for key in '"stepTimeS"' '"path": "one.yaml"'; do
    grep -o "$key[^,]*" flag.json >a
    grep -o "$key[^,]*" spec.json >b
    cmp a b
    grep -c . a
done
"$GPUPLAN" explain plan.yaml pretrain stepTimeS --calibration one.yaml | grep -c 'calibration own-runs: gemmEfficiency'
# Own runs stand in for the tuning that nobody stated: the need has no step for it.
for with in '' '--calibration one.yaml'; do
    # shellcheck disable=SC2086 # words
    "$GPUPLAN" size plan.yaml $with | sed -n '/^The need/,/^$/p' | cut -c-40
done
