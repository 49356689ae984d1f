cat >runs.csv <<'RUNS'
id,model,gpu,gpus,seq_len,tokens_per_s_per_gpu,iteration_s
a,m,h100-sxm,eight,4096,1,
b,m,h100-sxm,8,-4096,1,
RUNS
"$GPUPLAN" backtest runs.csv
