#!/bin/sh
# Planning needs no network: with its namespace closed, specs give the same bytes, also with models
# and prices of a lock; what fetches says that it cannot.
. "$ROOT/tests/lib.sh"
need unshare

cd "$scratch" || exit 1
cp "$ROOT"/examples/*.yaml .
cp "$ROOT/tests/samples/lock/gpuplan.lock" gpuplan.lock
cp "$ROOT/tests/samples/lock/plan.yaml" locked.plan.yaml
cat >runs.csv <<'END'
id,model,gpus,tp,gpu,precision_weights,mode,input_len,output_len,concurrency_or_batch,tpot_ms_p50,ttft_ms_p50
a,llama-3.1-70b,4,4,h100-sxm,fp8,online,1024,256,16,30,190
END
"$GPUPLAN" calibrate runs.csv -o own.yaml 2>err || fail "a calibration is made" err

# A closed namespace, as root or as a user of its own.
if unshare -n true 2>/dev/null; then
    closed='unshare -n'
elif unshare -rn true 2>/dev/null; then
    closed='unshare -rn'
else
    fail "a namespace without a network can be made here"
    finish
fi

for command in "size quickstart.yaml -f json" "check quickstart.yaml -f json" \
    "diff quickstart.yaml quickstart.yaml -f json" "size locked.plan.yaml -f json --locked" \
    "check locked.plan.yaml -f json --now 2027-01-15 --locked" \
    "diff locked.plan.yaml locked.plan.yaml -f json" "explain locked.plan.yaml chat" \
    "validate locked.plan.yaml" "size quickstart.yaml --calibration own.yaml -f json" \
    "simulate locked.plan.yaml --locked --calibration own.yaml --requests 200" \
    "export k8s locked.plan.yaml --locked" "calibrate runs.csv" "backtest runs.csv -f json" \
    "import slurm:$ROOT/tests/samples/sacct_month.txt"; do
    # shellcheck disable=SC2086 # words are meant to split
    {
        "$GPUPLAN" $command >open.out 2>open.err
        open=$?
        $closed "$GPUPLAN" $command >closed.out 2>closed.err
        shut=$?
    }
    if [ $open -eq $shut ] && [ $open -le 1 ] && cmp -s open.out closed.out; then
        pass "the same without a network: $command"
    else
        fail "the same without a network: $command ($open, $shut)" closed.err
    fi
done

for command in "import hf:Qwen/Qwen3-8B --attempts 1" "price azure --region eastus --attempts 1"; do
    # shellcheck disable=SC2086
    $closed "$GPUPLAN" $command --lock new.lock >out 2>err
    if [ $? -eq 4 ] && grep -q 'cannot fetch https://' err && [ ! -s out ] && [ ! -e new.lock ]; then
        pass "says that it cannot: $command"
    else
        fail "says that it cannot: $command" err
    fi
done
finish
