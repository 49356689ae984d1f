# What a model is tuned to: a frozen reference or teacher is read beside it, a reward model has a
# score for a head, and pre-training that is gone on with takes its batches.
cat >methods.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: methods}
spec:
  candidates: {allow: [dgx-h100]}
  workloads:
    - {name: sft, type: finetune, model: llama-3.1-8b, data: {tokens: 2B}, goal: {completeWithin: 2d}}
END
for method in sft dpo '{kind: dpo, cached: true}' rewardModel continued \
    '{kind: distillation, teacher: llama-3.1-70b}'; do
    sed "s/type: finetune,/type: finetune, method: $method,/" methods.yaml >one.yaml
    echo "== $method"
    "$GPUPLAN" size one.yaml -f json | grep -oE '"name":"(frozenModel|head)","timeS":[^}]*' | tr -d '\n'
    echo
    "$GPUPLAN" size one.yaml --detail | grep -E '^  (layout|step|run) '
done
