# The script is sound and completes commands, options and words.
command -v bash >/dev/null
"$GPUPLAN" completion bash >gpuplan.bash
cat >ask <<'ASK'
. ./gpuplan.bash
ask() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _gpuplan
    echo "${COMPREPLY[*]}"
}
ask gpuplan s
ask gpuplan size --f
ask gpuplan size -f ''
ask gpuplan size --objective minC
ask gpuplan schema ''
ASK
bash ask
