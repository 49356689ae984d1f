# Workloads of the specs on the line complete; names that a shell would take for more do not.
command -v bash >/dev/null
cat >plan.yaml <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: names}
spec:
  cluster: {pools: [{name: gpu, system: dgx-h100, count: 1}]}
  workloads:
    - {name: chat, type: inference, model: llama-3.1-8b}
    - {name: "$(touch owned)", type: inference, model: llama-3.1-8b}
    - {name: "two words", type: inference, model: llama-3.1-8b}
PLAN
"$GPUPLAN" completion bash >gpuplan.bash
cat >ask <<'ASK'
. ./gpuplan.bash
gpuplan() { "$GPUPLAN" "$@"; }
ask() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _gpuplan
    echo "${COMPREPLY[*]}"
}
ask gpuplan size plan.yaml -w ''
ask gpuplan explain plan.yaml ch
ask gpuplan size nowhere.yaml -w ''
ASK
bash ask
ls
