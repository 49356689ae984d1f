# The day of a log becomes the window of the calibration, unless it is said otherwise.
cd "$ROOT/tests/samples"
rows() { "$GPUPLAN" calibrate --read "$@" | sed -n '1p;$p'; }
rows megatron.log
rows torchtitan.log
rows vllm.json --set date=2026-08-09
"$GPUPLAN" calibrate --read vllm.json --set gpu=h100-sxm --set precision_weights=fp8 -o "$OLDPWD/runs.csv"
cd "$OLDPWD"
"$GPUPLAN" calibrate runs.csv | grep window
"$GPUPLAN" calibrate runs.csv --since 2026-07-01 | grep window
# Neither flag leaves the window without its end before its beginning, and a day is one of its month.
for flags in '--since 2027-01-01' '--since 2026-09-01 --until 2026-08-31' '--until 2026-02-30'; do
    # shellcheck disable=SC2086 # words
    "$GPUPLAN" calibrate runs.csv $flags 2>&1 || echo "exit $?"
done
