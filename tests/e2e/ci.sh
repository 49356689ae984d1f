#!/bin/sh
# A repository with a plan, as a team would have it: a change that raises traffic ten times fails the
# check with the line named in every form, and the comparison says what it costs. Then the shipped
# action, hooks and templates on the same repository.
. "$ROOT/tests/lib.sh"
python=python3
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
need git $python xmllint

export HOME="$scratch" GIT_CONFIG_NOSYSTEM=1
git config --global user.name tester
git config --global user.email tester@example.org
git config --global init.defaultBranch main
unset SOURCE_DATE_EPOCH XDG_CONFIG_HOME
mkdir -p "$scratch/repository/clusters/chat" "$scratch/bin"
ln -s "$GPUPLAN" "$scratch/bin/gpuplan"
PATH=$scratch/bin:$PATH
cd "$scratch/repository" || exit 1
git init -q .

cat >.gpuplan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Config
specs: ["clusters/**/plan.yaml"]
policies: [policy.yaml]
now: 2026-11-20
END
cat >policy.yaml <<'END'
apiVersion: gpuplan/v1
kind: Policy
metadata: {name: house}
spec:
  rules:
    - {id: HOUSE-1, assert: "summary.gpus <= 8", message: One machine is enough., level: error}
  waivers:
    - {rule: HOUSE-1, until: 2026-12-31, reason: A second machine is on its way.}
END
cat >clusters/chat/plan.yaml <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: chat}
spec:
  cluster:
    pools:
      - {name: serve, system: dgx-h200, count: 2}
  candidates: [dgx-h200]
  workloads:
    - name: chat
      type: inference
      model: llama-3.1-70b
      traffic:
        requestsPerSecond: 2
        inputTokens: 1000
        outputTokens: 200
      goal: {slo: {ttft: 2 s, tpot: 50 ms}}
END
git add -A
git commit -qm base
plan=clusters/chat/plan.yaml
line=$(grep -n requestsPerSecond $plan | cut -d: -f1)

if gpuplan check >"$scratch/log" 2>&1; then
    pass "the plan holds"
else
    fail "the plan holds" "$scratch/log"
fi

sed -i 's/requestsPerSecond: 2$/requestsPerSecond: 20/' $plan
code=0
gpuplan check -f github -o findings.sarif -o junit=findings.xml -o gitlab=quality.json \
    >"$scratch/annotations" 2>"$scratch/log" || code=$?
if [ $code -eq 1 ]; then
    pass "ten times the traffic fails the check"
else
    echo "exit $code" >>"$scratch/log"
    fail "ten times the traffic fails the check" "$scratch/log"
fi

grep "^::error file=$plan,line=$line," "$scratch/annotations" >"$scratch/named"
if [ -s "$scratch/named" ]; then
    pass "the annotation names the line"
else
    fail "the annotation names the line" "$scratch/annotations"
fi
cat >"$scratch/sarif.py" <<'END'
import json, sys
plan, line = sys.argv[2], int(sys.argv[3])
places = [
    (place["physicalLocation"]["artifactLocation"]["uri"],
     place["physicalLocation"]["region"]["startLine"])
    for run in json.load(open(sys.argv[1]))["runs"]
    for result in run["results"] if result.get("level") == "error"
    for place in result["locations"]
]
sys.exit((plan, line) not in places)
END
if "$python" "$scratch/sarif.py" findings.sarif $plan "$line"; then
    pass "SARIF names the line"
else
    fail "SARIF names the line" findings.sarif
fi
if xmllint --xpath "boolean(//testcase/failure[starts-with(., '$plan:$line:')])" findings.xml |
    grep -q true; then
    pass "JUnit names the line"
else
    fail "JUnit names the line" findings.xml
fi
if grep -q "\"begin\": $line" quality.json; then
    pass "the code quality report names the line"
else
    fail "the code quality report names the line" quality.json
fi

code=0
gpuplan diff git:HEAD:$plan $plan -f markdown --exit-code >"$scratch/comment" || code=$?
{
    grep -q '<!-- gpuplan' "$scratch/comment" || echo "no hidden marker"
    grep -q "requestsPerSecond.*2.*20" "$scratch/comment" || echo "the change is not told"
    grep -q "$plan:$line" "$scratch/comment" || echo "the line is not named"
    grep -q "GPUs" "$scratch/comment" || echo "the GPUs are not told"
    [ $code -eq 1 ] || echo "exit $code"
} >"$scratch/list"
[ ! -s "$scratch/list" ] || cat "$scratch/comment" >>"$scratch/list"
verdict "the comparison gives a comment to act on" "$scratch/list"

# ---- waivers

git checkout -q $plan
sed -i 's/summary.gpus <= 8/summary.gpus <= 4/' policy.yaml
if gpuplan check >"$scratch/log" 2>&1; then
    pass "a waiver holds until its day"
else
    fail "a waiver holds until its day" "$scratch/log"
fi
code=0
gpuplan check --now 2027-01-01 -f github >"$scratch/log" 2>&1 || code=$?
if [ $code -eq 1 ] && grep -q 'HOUSE-1' "$scratch/log" && grep -q GP7011 "$scratch/log"; then
    pass "a waiver with a past day fails the check and is named"
else
    fail "a waiver with a past day fails the check and is named" "$scratch/log"
fi
git checkout -q policy.yaml

# ---- the action: its scripts, run as a step runs them

action=$ROOT/.github/actions/gpuplan
sed -i 's/requestsPerSecond: 2$/requestsPerSecond: 20/' $plan
mkdir clusters/new
sed 's/name: chat/name: fresh/' $plan >clusters/new/plan.yaml
run_action() {
    env PROGRAM=gpuplan GITHUB_OUTPUT="$scratch/outputs" GITHUB_STEP_SUMMARY="$scratch/summary" \
        "$@" sh "$action/check.sh"
}
: >"$scratch/outputs"
: >"$scratch/summary"
code=0
run_action INPUT_BASE_REF=HEAD INPUT_SARIF=action.sarif INPUT_COMMENT_FILE=comment.md \
    >"$scratch/annotations" 2>"$scratch/log" || code=$?
{
    [ $code -eq 1 ] || echo "exit $code"
    grep -qx 'exit-code=1' "$scratch/outputs" || echo "no exit code among the outputs"
    grep -qx 'comment-file=comment.md' "$scratch/outputs" || echo "no comment among the outputs"
    grep -q "^::error file=$plan,line=$line," "$scratch/annotations" || echo "no annotation"
    "$python" "$scratch/sarif.py" action.sarif $plan "$line" || echo "SARIF does not name the line"
    grep -q chat "$scratch/summary" || echo "no summary"
    grep -q "requestsPerSecond" comment.md || echo "the comment does not tell the change"
    grep -q 'New plan: `clusters/new/plan.yaml`' comment.md || echo "the new plan is not told"
    cat "$scratch/log"
} >"$scratch/list"
verdict "the action annotates, summarises and comments" "$scratch/list"

code=0
run_action INPUT_SPEC="$plan" INPUT_POLICY='nowhere.yaml' >"$scratch/list" 2>&1 || code=$?
if [ $code -eq 4 ] && grep -q nowhere.yaml "$scratch/list"; then
    pass "the action tells a missing policy from a plan that fails"
else
    fail "the action tells a missing policy from a plan that fails" "$scratch/list"
fi

: >"$scratch/outputs"
env GPUPLAN_BINARY="$GPUPLAN" GITHUB_OUTPUT="$scratch/outputs" sh "$action/build.sh" 2>/dev/null
echo "program=$GPUPLAN" | diff - "$scratch/outputs" >"$scratch/list"
verdict "the action takes a program that is there" "$scratch/list"

cat >"$scratch/templates.py" <<'END'
import re, sys
import yaml

root = sys.argv[1]
action = yaml.safe_load(open(f"{root}/.github/actions/gpuplan/action.yml"))
steps = action["runs"]["steps"]
text = open(f"{root}/.github/actions/gpuplan/action.yml").read()
for name in re.findall(r"inputs\.([a-z-]+)", text):
    if name not in action["inputs"]:
        print(f"action.yml: no input {name}")
for name in action["inputs"]:
    if f"inputs.{name} " not in text:
        print(f"action.yml: nothing uses the input {name}")
for step in steps:
    if step.get("shell") != "bash" or "${{" in step["run"]:
        print("action.yml: a step without a shell, or one that pastes inputs into it")
hooks = yaml.safe_load(open(f"{root}/.pre-commit-hooks.yaml"))
if {"gpuplan-validate", "gpuplan-check"} - {hook["id"] for hook in hooks}:
    print("a hook is missing")
for hook in hooks:
    if set(hook) - {"id", "name", "description", "entry", "language", "files", "require_serial"}:
        print(f"{hook['id']}: an unknown key")
    for path, due in [("plan.yaml", 1), ("a/plan.yml", 1), ("a/b.plan.yaml", 1), ("aplan.yaml", 0),
                      ("plan.yaml.bak", 0)]:
        if bool(re.search(hook["files"], path)) != bool(due):
            print(f"{hook['id']}: {path}")
    if hook["language"] == "system":
        print(hook["entry"], file=sys.stderr)
version = re.search(r"^VERSION := (.*)$", open(f"{root}/Makefile").read(), re.M).group(1)
for hook in hooks:
    if hook["language"] == "docker_image" and not hook["entry"].startswith(f"gpuplan:{version} "):
        print(f"{hook['id']}: an image of another version")
jobs = yaml.safe_load(open(f"{root}/examples/ci/gitlab.yml"))
if jobs["variables"]["GPUPLAN_IMAGE"] != f"gpuplan:{version}":
    print("gitlab.yml: an image of another version")
print(jobs["gpuplan-check"]["script"][0], file=open(f"{sys.argv[2]}/check.sh", "w"))
print("\n".join(jobs["gpuplan-diff"]["script"]), file=open(f"{sys.argv[2]}/diff.sh", "w"))
END
"$python" "$scratch/templates.py" "$ROOT" "$scratch" >"$scratch/list" 2>"$scratch/entries" ||
    cat "$scratch/entries" >>"$scratch/list"
verdict "action, hooks and templates fit together" "$scratch/list"

# What pre-commit would run: the entry with the files that are staged.
git add -A
while read -r entry; do
    code=0
    # shellcheck disable=SC2046,SC2086 # both are lists
    $entry $(git ls-files | grep -E '(^|/)([^/]+\.)?plan\.ya?ml$') >"$scratch/log" 2>&1 || code=$?
    case $entry in
    *validate) [ $code -eq 0 ] || echo "$entry: exit $code" ;;
    *check) [ $code -eq 1 ] || echo "$entry: exit $code" ;;
    esac
done <"$scratch/entries" >"$scratch/list"
[ -s "$scratch/entries" ] || echo "no entries" >>"$scratch/list"
verdict "the hooks pass a sound plan and stop one that does not hold" "$scratch/list"

# ---- the jobs for GitLab

code=0
sh -e "$scratch/check.sh" >"$scratch/log" 2>&1 || code=$?
{
    [ $code -eq 1 ] || echo "exit $code"
    for file in gl-code-quality-report.json gpuplan.xml metrics.txt gpuplan.html; do
        [ -s $file ] || echo "$file is missing"
    done
    tail -1 metrics.txt | grep -qx '# EOF' || echo "metrics.txt has no end"
    code=0
    CI_MERGE_REQUEST_DIFF_BASE_SHA=$(git rev-parse HEAD) GPUPLAN_SPEC=$plan sh -e "$scratch/diff.sh" \
        >"$scratch/log" 2>&1 || code=$?
    [ $code -eq 1 ] || echo "the comparison exits with $code, where check of the same plan says 1"
    grep -q requestsPerSecond gpuplan-diff.md || echo "the comparison does not tell the change"
} >"$scratch/list"
verdict "the jobs for GitLab write their reports" "$scratch/list"
finish
