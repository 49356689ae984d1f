# Flag, environment, project, user, in this order; the last two of the environment and the user's
# file change what is shown and never a result.
cp "$ROOT/examples/minimal.yaml" plan.yaml
widest() { awk '{ if (length($0) > most) most = length($0) } END { print (most > 90 ? "wide" : "narrow") }'; }
mkdir -p config/gpuplan
export XDG_CONFIG_HOME="$PWD/config"
cat >config/gpuplan/config.yaml <<'END_FILE'
apiVersion: gpuplan/v1
kind: Config
width: 120
color: always
END_FILE
"$GPUPLAN" size plan.yaml | widest
"$GPUPLAN" size plan.yaml | grep -c "$(printf '\033')" >colours || true
test "$(cat colours)" -gt 0 && echo coloured
NO_COLOR=1 "$GPUPLAN" size plan.yaml | grep -c "$(printf '\033')" || true
"$GPUPLAN" size plan.yaml -f json >user.json
cat >.gpuplan.yaml <<'END_FILE'
apiVersion: gpuplan/v1
kind: Config
width: 70
color: never
END_FILE
"$GPUPLAN" size plan.yaml | widest
GPUPLAN_WIDTH=130 "$GPUPLAN" size plan.yaml | widest
GPUPLAN_WIDTH=130 "$GPUPLAN" size plan.yaml --width 80 | widest
rm .gpuplan.yaml config/gpuplan/config.yaml
"$GPUPLAN" size plan.yaml -f json | cmp - user.json
GPUPLAN_FORMAT=json GPUPLAN_QUIET=1 "$GPUPLAN" size plan.yaml | cmp - user.json
# What would change a result is not read, and a value that makes no sense is refused.
GPUPLAN_FAIL_ON=note GPUPLAN_POLICY=nowhere.yaml GPUPLAN_OBJECTIVE=minGpus \
    "$GPUPLAN" check plan.yaml -f json 2>err >env.json || true
cat err
"$GPUPLAN" check plan.yaml -f json >plain.json || true
cmp plain.json env.json
code=0
GPUPLAN_WIDTH=wide "$GPUPLAN" size plan.yaml 2>&1 || code=$?
GPUPLAN_DETAIL=most "$GPUPLAN" size plan.yaml 2>&1 || code="$code $?"
cat >config/gpuplan/config.yaml <<'END_FILE'
apiVersion: gpuplan/v1
kind: Config
policies: [a.yaml]
END_FILE
"$GPUPLAN" size plan.yaml 2>&1 | sed "s|$PWD/||" || true
"$GPUPLAN" size plan.yaml 2>/dev/null || code="$code $?"
echo "exit $code"
