# Errors have a place; a pattern without a file, a file that is not there and a wrong kind too.
try() {
    cat >.gpuplan.yaml
    code=0
    "$GPUPLAN" check "$@" 2>&1 || code=$?
    echo "exit $code"
}
cp "$ROOT/examples/minimal.yaml" plan.yaml
try plan.yaml <<'END_FILE'
apiVersion: gpuplan/v1
kind: Config
spec: [plan.yaml]
failOn: fatal
width: 20
END_FILE
try plan.yaml <<'END_FILE'
apiVersion: gpuplan/v2
kind: Plan
policies: nowhere.yaml
END_FILE
try <<'END_FILE'
apiVersion: gpuplan/v1
kind: Config
specs: ["clusters/**/plan.yaml"]
END_FILE
try -q <<'END_FILE'
apiVersion: gpuplan/v1
kind: Config
specs: [plan.yaml, "clusters/**/plan.yaml"]
END_FILE
"$GPUPLAN" validate
try <<'END_FILE'
apiVersion: gpuplan/v1
kind: Config
policies: [nowhere.yaml]
END_FILE
try plan.yaml <<'END_FILE'
apiVersion: gpuplan/v1
kind: Config
policies: [nowhere.yaml]
END_FILE
try plan.yaml <<'END_FILE'
apiVersion: gpuplan/v1
kind: Config
---
apiVersion: gpuplan/v1
kind: Config
END_FILE
# What needs no project does not read it, and backtests are about the tool alone.
"$GPUPLAN" version >/dev/null
"$GPUPLAN" backtest "$ROOT/tests/reference/memory.csv" >/dev/null
