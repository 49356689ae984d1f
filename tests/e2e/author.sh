#!/bin/sh
# What helps an author: schemas hold for every example and template and against bad specs, reports
# keep to theirs, completions work in three shells, manual pages are sound.
. "$ROOT/tests/lib.sh"
python=python3
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
need $python bash zsh fish groff
schemas() {
    "$python" tests/e2e/schemas.py "$@"
}

# ---- schemas

for kind in document spec policy prices catalog calibration config report; do
    "$GPUPLAN" schema $kind >"$scratch/$kind.json"
done
schemas accept "$scratch/document.json" examples/*.yaml examples/policies/*.yaml >"$scratch/list" 2>&1
verdict "every example keeps to the schema" "$scratch/list"

for file in examples/*.yaml examples/policies/*.yaml; do
    schema=$(sed -n '1s/^# yaml-language-server: \$schema=//p' "$file")
    [ -n "$schema" ] && [ -s "${file%/*}/$schema" ] || echo "$file: names no schema that is there"
done >"$scratch/list"
verdict "every example names its schema" "$scratch/list"

for template in inference pretrain finetune lora mixed policy project; do
    "$GPUPLAN" init --template $template >"$scratch/$template.yaml"
    head -1 "$scratch/$template.yaml" | grep -q '^# yaml-language-server: \$schema=' ||
        echo "$template: names no schema"
done >"$scratch/list"
(cd "$scratch" && "$python" "$ROOT/tests/e2e/schemas.py" accept document.json inference.yaml \
    pretrain.yaml finetune.yaml lora.yaml mixed.yaml policy.yaml project.yaml) >>"$scratch/list" 2>&1
verdict "every template names its schema and keeps to it" "$scratch/list"

# What the schema can see it refuses; references and sums are for validate.
schemas reject "$scratch/document.json" tests/cli/bad/*.yaml >"$scratch/passed" 2>&1
grep -E 'GP|gp10(01|03|06|10|13|20)_|missing_key|unknown_kind|unknown_version|wrong_type|Error' \
    "$scratch/passed" >"$scratch/list"
verdict "bad specs do not keep to the schema" "$scratch/list"

for file in examples/*.yaml; do
    "$GPUPLAN" size "$file" -f json >"$scratch/report.out" || [ $? -eq 1 ]
    schemas json "$scratch/report.json" "$scratch/report.out"
done >"$scratch/list" 2>&1
"$GPUPLAN" check examples/quickstart.yaml --policy examples/policies/guardrails.yaml -f json \
    >"$scratch/report.out" || true
schemas json "$scratch/report.json" "$scratch/report.out" >>"$scratch/list" 2>&1
verdict "reports keep to the schema of reports" "$scratch/list"

# ---- completions

mkdir "$scratch/bin"
ln -s "$GPUPLAN" "$scratch/bin/gpuplan"
PATH=$scratch/bin:$PATH
for shell in bash zsh fish; do
    "$GPUPLAN" completion $shell >"$scratch/complete.$shell"
    if $shell -n "$scratch/complete.$shell" >"$scratch/log" 2>&1; then
        pass "the completion for $shell is sound"
    else
        fail "the completion for $shell is sound" "$scratch/log"
    fi
done

cat >"$scratch/ask.bash" <<'END'
. "$1/complete.bash"
COMP_WORDS=(gpuplan check --fail-on '') COMP_CWORD=3
_gpuplan
echo "${COMPREPLY[*]}"
COMP_WORDS=(gpuplan che) COMP_CWORD=1
_gpuplan
echo "${COMPREPLY[*]}"
END
bash "$scratch/ask.bash" "$scratch" >"$scratch/log" 2>&1
if [ "$(cat "$scratch/log")" = "note warning error
check" ]; then
    pass "bash completes commands and words"
else
    fail "bash completes commands and words" "$scratch/log"
fi

HOME=$scratch fish --no-config -c \
    "source $scratch/complete.fish; complete -C 'gpuplan check --fail-on '" >"$scratch/log" 2>&1
if [ "$(cut -f1 "$scratch/log" | sort | tr '\n' ' ')" = "error note warning " ]; then
    pass "fish completes words"
else
    fail "fish completes words" "$scratch/log"
fi

# zsh completes in a terminal only: its functions are asked what they would offer.
cat >"$scratch/ask.zsh" <<'END'
compdef() { }
_arguments() { print -rl -- "$@" }
_describe() { eval "print -rl -- \${$2[@]}" }
source $1/complete.zsh
words=(gpuplan '') CURRENT=2; _gpuplan
words=(gpuplan check '') CURRENT=3; _gpuplan
END
zsh -f "$scratch/ask.zsh" "$scratch" >"$scratch/log" 2>&1
if grep -q '^check:' "$scratch/log" &&
    grep -q -e '--fail-on=.*(note warning error)' "$scratch/log"; then
    pass "zsh is offered commands and words"
else
    fail "zsh is offered commands and words" "$scratch/log"
fi

# ---- manual pages

for page in "" spec policy calibration config; do
    # shellcheck disable=SC2086 # no operand stands for the program's own page
    "$GPUPLAN" help --man $page >"$scratch/page"
    groff -man -Tutf8 -P-cbou -ww "$scratch/page" 2>&1 >"$scratch/shown" | head -5
    grep -q NAME "$scratch/shown" || echo "the page '$page' shows nothing"
done >"$scratch/list"
verdict "manual pages are sound" "$scratch/list"
finish
