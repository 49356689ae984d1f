#!/bin/sh
# `observe` and `calibrate --prometheus` against a real Prometheus on loopback, whose data is made
# from series with the names of real exporters; then against servers that misbehave, which must be
# told, exit with 4, write nothing and tell no secret.
. "$ROOT/tests/lib.sh"
need prometheus promtool awk unshare

end=1780308000 # 2026-06-01T10:00:00Z
later=$((end + 86400))
plan=$ROOT/tests/e2e/live.plan.yaml
series="awk -f $ROOT/tests/e2e/prometheus_series.awk"
server=
stub=
trap 'kill $server $stub 2>/dev/null; rm -rf "$scratch"' EXIT

# ---- the data: a day that goes by the plan, the next with twice the requests at thrice the latency

block() {
    promtool tsdb create-blocks-from openmetrics "$1" "$scratch/data" >"$scratch/log" 2>&1 ||
        fail "promtool takes the series" "$scratch/log"
}
$series -v end=$end -v span=14400 -v rate=6 -v slow=1 >"$scratch/series"
block "$scratch/series"
$series -v end=$later -v span=14400 -v rate=13 -v slow=3 >"$scratch/series"
block "$scratch/series"
$series -v end=$end -v span=14400 -v old=1 >"$scratch/series"
block "$scratch/series"
echo 'scrape_configs: []' >"$scratch/config.yml"

# Ports are tried until one is free.
start() {
    port=$((20000 + $$ % 20000))
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        port=$((port + 101))
        prometheus --config.file="$scratch/config.yml" --storage.tsdb.path="$scratch/data" \
            --storage.tsdb.retention.time=100y --web.listen-address=127.0.0.1:$port \
            --log.level=error >"$scratch/server.log" 2>&1 &
        server=$!
        for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
            sleep 0.5
            kill -0 $server 2>/dev/null || break
            if promtool query instant "http://127.0.0.1:$port" 'vector(1)' >/dev/null 2>&1; then
                return 0
            fi
        done
        kill $server 2>/dev/null
    done
    return 1
}
if ! start; then
    fail "prometheus starts" "$scratch/server.log"
    finish
fi
pass "prometheus starts"
url=http://127.0.0.1:$port
work=$scratch/work

# run ARGUMENTS...: gpuplan in an empty folder; sets $code.
run() {
    rm -rf "$work" && mkdir -p "$work" || exit 1
    code=0
    (cd "$work" && "$GPUPLAN" "$@" >"$scratch/out" 2>"$scratch/err") || code=$?
}

# exits CODE NAME: with what was printed where it did not.
exits() {
    if [ $code -eq "$1" ]; then
        pass "$2"
    else
        { echo "exit $code, not $1"; cat "$scratch/out" "$scratch/err"; } >"$scratch/why"
        fail "$2" "$scratch/why"
    fi
}

# says FILE PATTERN NAME
says() {
    if grep -q -e "$2" "$1"; then
        pass "$3"
    else
        { echo "no line like: $2"; cat "$1"; } >"$scratch/why"
        fail "$3" "$scratch/why"
    fi
}

at="--now 2026-06-01T10:00:00Z --window 4h"
next="--now 2026-06-02T10:00:00Z --window 4h"
# What the series have otherwise than the plan on purpose.
limits="--limit kvUse=1000% --limit kvPool=90% --limit replicas=40% --limit gpuPower=60%
    --limit nodePower=60% --limit tpotP95=100% --limit outputTokensP95=100%"

# ---- readings: metric, key and value of the first reading of it

run calibrate "$plan" --prometheus "$url" $at --readings readings.json -o live.yaml
exits 0 "calibrate from a server"
says "$scratch/err" 'nvlinkSent: DCGM_FI_PROF_NVLINK_TX_BYTES is not exported: enable the row' \
    "a missing metric names the exporter's row"
says "$scratch/err" 'gpuTemperature: DCGM_FI_DEV_GPU_TEMP holds only blanks' \
    "blanks are told from values"
says "$work/live.yaml" 'term: decodeEfficiency' "latency becomes a factor"
says "$work/live.yaml" 'term: gpuPower' "power becomes a factor"
says "$work/live.yaml" 'term: idlePower' "so does power at rest"
says "$work/live.yaml" 'window: {from: 2026-06-01, to: 2026-06-01}' "the window is kept"
says "$work/live.yaml" "source: \"$url" "the server is kept"
cp "$work/live.yaml" "$work/readings.json" "$scratch/"

expect() {
    awk -v metric="$1" -v key="$2" -v want="$3" '
        $1 == "\"metric\":" { on = $2 == "\"" metric "\","; seen = seen || on }
        on && $1 == "\"" key "\":" {
            value = $2; sub(/,$/, "", value); found = 1
            if (value == "null" || (value - want) ^ 2 > (0.01 * want) ^ 2 + 1e-18)
                print metric "." key " is " value ", not " want
            exit
        }
        END { if (!found) print metric "." key " is not there" }' "$scratch/readings.json"
}
{
    expect kvUse mean 0.35            # four replicas, two of which also print the newer name
    expect replicas p50 4
    expect kvPool mean 446592         # 27,912 blocks of 16 tokens
    expect inputTokens mean 2100
    expect outputTokens mean 390
    expect tpot samples 33696000      # both names, each engine once
    expect tpot mean 0.02
    expect ttft mean 0.3
    expect gpuUtilization mean 0.80625 # percent
    expect tensorActiveLoad p50 0.31  # a ratio
    expect hbmActive mean 0.62        # blanks of two GPUs left out
    expect gpuPowerLoad p50 560
    expect gpuPowerIdle p50 118
    expect memoryUsed p50 136314880000 # MiB
    expect gpuEnergyPower p50 504.75  # mJ
    expect nodePower p50 6500
    expect inletTemperature p50 26    # not the exhaust
    expect fabricSent p50 3e9         # old and new names of the counter
    expect requestRate peakToMean 1.31
} >"$scratch/wrong"
verdict "readings are what the series say" "$scratch/wrong"

run size "$plan" --calibration "$scratch/live.yaml" -f json
exits 0 "size takes the calibration"
sed 's/^      traffic:/      parallelism: {mode: explicit, tp: 2}\n&/' "$plan" >"$scratch/first.plan.yaml"
run calibrate "$plan" --prometheus "$url" $at -o other.yaml
says "$scratch/err" 'chat gives no factor of memory: its cache holds 447k tokens' \
    "a cache of another layout is told, and fits nothing"
run calibrate "$scratch/first.plan.yaml" --prometheus "$url" $at -q -o first.yaml
cp "$work/first.yaml" "$scratch/"
says "$work/first.yaml" 'term: cacheShare' "the tokens of a cache become a share of memory"
run observe "$scratch/first.plan.yaml" --prometheus "$url" $at --calibration "$scratch/first.yaml" \
    $limits
says "$scratch/out" 'kvPool  *45[0-9]k  *447k  *-[01]%' "which the plan then has"
says "$scratch/out" 'gpuPower  *5[0-9][0-9] W  *560 W  *[+-][0-9]%' "as it has the power"
sed 's/^spec:/spec:\n  calibration: [file:first.yaml]/' "$scratch/first.plan.yaml" \
    >"$scratch/again.plan.yaml"
run calibrate "$scratch/again.plan.yaml" --prometheus "$url" $at -q -o again.yaml
diff "$scratch/first.yaml" "$work/again.yaml" >"$scratch/diff"
verdict "a calibrated plan gives the same factors again: they are over the built-in figures" \
    "$scratch/diff"
run calibrate "$plan" --prometheus "$url" $at --read -q
exits 0 "rows of runs come out"
cp "$scratch/out" "$scratch/rows.csv"
run backtest "$scratch/rows.csv"
exits 0 "backtest reads them"

# ---- training: by a query of one's own, since no exporter has a name for its steps

cat >"$scratch/train.plan.yaml" <<'PLAN'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: train}
spec:
  cluster:
    pools: [{name: train, system: dgx-h200, count: 8}]
    fabrics: [{name: compute, rate: 400 Gb/s, switch: qm9700}]
  candidates: [dgx-h200]
  workloads:
    - name: pretrain
      type: training
      model: llama-3.1-8b
      data: {tokens: 1T tokens, sequenceLength: 8192, globalBatch: 4M tokens}
      parallelism: {mode: explicit, dp: 64}
      goal: {completeWithin: 60d}
PLAN
train="$scratch/train.plan.yaml"
run calibrate "$train" --prometheus "$url" $at -o train.yaml
exits 3 "training without a query gives nothing"
says "$scratch/err" 'pretrain gives no run: no exporter tells the steps' "and says why"
says "$scratch/err" 'tensor cores of NVIDIA H200 at work were active 31%' "and what is known"
run calibrate "$train" --prometheus "$url" $at --tokens 'pretrain=vector(512000)' --read -q
exits 0 "a query of tokens per second gives a run"
says "$scratch/out" '^live-pretrain-2026-06-01,pretrain,llama-3.1-8b,.*,h200-sxm,64,bf16,.*,8000,,yes' \
    "of as many GPUs as the layout has"
run calibrate "$train" --prometheus "$url" $at --tokens 'pretrain=vector(512000)' -o train.yaml
exits 0 "and a factor"
says "$work/train.yaml" 'term: gemmEfficiency' "of the training rate"
run calibrate "$train" --prometheus "$url" $at --tokens 'pretrain=no_such_metric' -o train.yaml
exits 3 "a query that nothing answers gives nothing"
says "$scratch/err" 'the query of --tokens pretrain gives nothing' "and says so"
run calibrate "$train" --prometheus "$url" $at --tokens 'pretrain=DCGM_FI_DEV_GPU_UTIL'
exits 4 "a query of many series"
says "$scratch/err" 'gives 16 series, and one is needed' "says how many"
run calibrate "$train" --prometheus "$url" $at --tokens 'pretrain=sum('
exits 4 "a query that cannot be read"
run calibrate "$train" --prometheus "$url" $at --tokens 'chat=vector(1)'
exits 2 "a training that the plan lacks"
run calibrate "$plan" --prometheus "$url" $at --tokens 'chat=vector(1)'
exits 2 "a service is no training"

# ---- plan against reality

run observe "$plan" --prometheus "$url" $at $limits
exits 0 "reality that keeps to the plan"
says "$scratch/out" ': as planned' "it says so"
cp "$scratch/out" "$scratch/first"
run observe "$plan" --prometheus "$url" $at $limits
diff "$scratch/first" "$scratch/out" >"$scratch/diff"
verdict "twice the same, byte for byte" "$scratch/diff"

run observe "$plan" --prometheus "$url" $next $limits -o drift.json -o drift.xml -o drift.prom \
    -o drift.md
exits 1 "reality that has left the plan"
says "$scratch/out" 'requestRate .*BREACH' "the rate is beyond its limit"
says "$scratch/out" 'goal.ttftP95 .*BREACH' "so is the goal"
says "$scratch/out" 'moves from .* to .*order by' "the limit of growth moves, with a date"
says "$work/drift.json" '"earlier": true' "to an earlier one"
says "$work/drift.xml" '<failure message="planned 6/s' "JUnit has a failure"
says "$work/drift.prom" 'gpuplan_observe_breach{plan="chat",workload="chat",metric="requestRate"} 1' \
    "OpenMetrics has a gauge"
grep -v '^# EOF' "$work/drift.prom" | promtool check metrics >"$scratch/log" 2>&1
verdict "promtool finds nothing wrong with it" "$scratch/log"
says "$work/drift.md" '| chat | requestRate |' "Markdown has a table"

run observe "$plan" --prometheus "$url" $at
says "$scratch/out" '^  outputTokensP95, tpotP95: the limit lies in the same histogram' \
    "figures that share a reason are all named"
run observe "$plan" --prometheus "$url" $at --selector 'instance="nowhere"'
exits 0 "a selector that nothing matches"
says "$scratch/out" 'not measured' "is not measured, and never zero"
run observe "$plan" --prometheus "$url" $at $limits --match chat=qwen/qwen2.5-7b
exits 1 "another service is held against the plan where it is asked for"
run observe "$plan" --prometheus "$url" $at --match chat=no/such-model
says "$scratch/out" 'no engine reports no/such-model' "a name that nobody serves is told"

# ---- what goes wrong

# fails PATTERN NAME: environment error, nothing written, no secret told.
fails() {
    exits 4 "$2"
    says "$scratch/err" "$1" "$2: says why"
    { cat "$scratch/out" "$scratch/err"; ls "$work"; cat "$work"/* 2>/dev/null; } |
        grep -E 's3cret|pa55word|t0ken-word' >"$scratch/leak"
    verdict "$2: no secret is told" "$scratch/leak"
    { ls "$work"; cat "$scratch/out"; } >"$scratch/left"
    verdict "$2: nothing is written" "$scratch/left"
}
outputs="-o drift.json -o drift.xml"

run observe "$plan" --prometheus "http://admin:pa55word@127.0.0.1:$port" $at $outputs
fails 'the address contains credentials' "credentials in the address"
run observe "$plan" --prometheus "$url/no/such/path" $at $outputs
fails 'HTTP 404' "a wrong path"
run observe "$plan" --prometheus "$url" $at --selector 'a=~"("' $outputs
fails 'the server answers bad_data' "a query that the server refuses"
code=0
rm -rf "$work" && mkdir "$work"
(cd "$work" && unshare -rn "$GPUPLAN" observe "$plan" --prometheus "$url" $at $outputs \
    >"$scratch/out" 2>"$scratch/err") || code=$?
fails 'no answer' "no network"
kill $server && wait $server 2>/dev/null
run calibrate "$plan" --prometheus "$url" $at -o live.yaml --readings readings.json
fails 'no answer' "a server that is gone"
server=

if ! $CC -O1 -o "$scratch/misbehave" "$ROOT/tests/e2e/server/misbehave.c" >"$scratch/log" 2>&1; then
    fail "the server that misbehaves is built" "$scratch/log"
    finish
fi
echo 'admin:pa55word' >"$scratch/auth"
echo 't0ken-word' >"$scratch/token"

# wrong MODE PATTERN [OPTIONS...]
wrong() {
    mode=$1
    pattern=$2
    shift 2
    "$scratch/misbehave" "$mode" >"$scratch/port" &
    stub=$!
    while [ ! -s "$scratch/port" ] && kill -0 $stub 2>/dev/null; do sleep 0.1; done
    for command in observe calibrate; do
        run $command "$plan" --prometheus "http://127.0.0.1:$(cat "$scratch/port")" $at -o out.json \
            "$@"
        [ "$mode" = once ] && [ $command = calibrate ] && continue # it is gone by then
        fails "$pattern" "$command: $mode"
    done
    kill $stub 2>/dev/null
    wait $stub 2>/dev/null
    : >"$scratch/port"
}
wrong garbage 'the answer is no JSON object'
wrong page 'the answer is no JSON object'
wrong error 'the server answers execution: query timed out'
wrong huge 'larger than 32 MiB'
wrong endless 'larger than 32 MiB'
wrong cut 'no answer'
wrong short 'no JSON'
wrong slow 'no answer' --timeout 1
wrong refuse 'refuses access' --auth-file "$scratch/auth"
wrong redirect 'HTTP 302' --auth-file "$scratch/token"
wrong nothing 'no answer'
wrong native 'has no values'
wrong once 'no answer'
stub=

finish
