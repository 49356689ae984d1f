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
