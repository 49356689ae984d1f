# A plan, a policy and a project file from templates make a project that check answers.
"$GPUPLAN" init --template inference >plan.yaml
"$GPUPLAN" init --template policy >policy.yaml
"$GPUPLAN" init --template project | sed 's/^# policies/policies/; s/ # gpuplan init.*//' >.gpuplan.yaml
"$GPUPLAN" validate
code=0
"$GPUPLAN" check --now 2027-01-01 -f junit >report.xml || code=$?
test $code -le 1
grep -c 'name="HOUSE-002' report.xml || true
grep -o '"failOn": *"[a-z]*"\|"path": *"policy.yaml"' <<END_JSON || true
$("$GPUPLAN" check --now 2027-01-01 -f json || true)
END_JSON
head -2 plan.yaml policy.yaml .gpuplan.yaml
"$GPUPLAN" init --template policy --model llama-3.1-8b 2>&1 || echo "exit $?"
