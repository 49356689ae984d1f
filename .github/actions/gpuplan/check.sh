#!/bin/sh
# One check in all the forms that a change request needs: annotations on standard output, SARIF and
# JUnit files, a page in the job's summary, and a comment on what the change does. The exit code is
# that of the check.
set -eu
: "${PROGRAM:=gpuplan}" "${GITHUB_OUTPUT:=/dev/null}" "${GITHUB_STEP_SUMMARY:=/dev/null}"
newline='
'
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Inputs of several lines become arguments, a line each.
old_ifs=$IFS
IFS=$newline
set -f
# shellcheck disable=SC2086 # lines are meant to split
set -- ${INPUT_SPEC-}
for policy in ${INPUT_POLICY-}; do
    set -- "$@" --policy "$policy"
done
set +f
IFS=$old_ifs
[ -z "${INPUT_FAIL_ON-}" ] || set -- "$@" --fail-on "$INPUT_FAIL_ON"
[ -z "${INPUT_SARIF-}" ] || set -- "$@" -o "sarif=$INPUT_SARIF"
[ -z "${INPUT_JUNIT-}" ] || set -- "$@" -o "junit=$INPUT_JUNIT"

code=0
"$PROGRAM" check "$@" -f github -o "markdown=$scratch/summary.md" \
    -o "json=$scratch/report.json" || code=$?
echo "exit-code=$code" >>"$GITHUB_OUTPUT"
[ $code -le 1 ] || exit $code
# A summary above 1 MiB would be refused as a whole.
if [ "$(wc -c <"$scratch/summary.md")" -lt 1000000 ]; then
    cat "$scratch/summary.md" >>"$GITHUB_STEP_SUMMARY"
else
    echo "The report is too long for a summary; see the artefacts." >>"$GITHUB_STEP_SUMMARY"
fi

# The specs that were judged: `"spec": {` is followed by their path.
specs() {
    sed -n '/^ *"spec": {$/{n;s/^ *"path": "\(.*\)",$/\1/p;}' "$scratch/report.json"
}

comment=${INPUT_COMMENT_FILE:-gpuplan-comment.md}
if [ -n "${INPUT_BASE_REF-}" ]; then
    count=$(specs | wc -l)
    bytes=$((60000 / (count > 0 ? count : 1)))
    [ $bytes -ge 2000 ] || bytes=2000
    specs | while IFS= read -r spec; do
        # Paths of git begin at the root of the repository.
        inside=$(git ls-files --full-name -- "$spec" | head -1)
        if [ -n "$inside" ] && git cat-file -e "$INPUT_BASE_REF:$inside" 2>/dev/null; then
            "$PROGRAM" diff "git:$INPUT_BASE_REF:$inside" "$spec" -f markdown --max-bytes $bytes ||
                [ $? -eq 1 ] # the plan does not hold: the check has said so
        else
            printf 'New plan: `%s`.\n\n' "$spec"
        fi
    done >"$scratch/comment.md"
    mv "$scratch/comment.md" "$comment"
    echo "comment-file=$comment" >>"$GITHUB_OUTPUT"
fi
exit $code
