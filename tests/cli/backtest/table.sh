cat >runs.csv <<'RUNS'
id,kind,model,gpu,gpus,precision,gbs_sequences,mbs,seq_len,tp,pp,dp,tokens_per_s_per_gpu,iteration_s,strict
a,pretrain,llama-3.1-70b,h100-sxm,64,bf16,128,1,8192,4,4,4,,,yes
b,pretrain,llama-3.1-70b,h100-sxm,64,bf16,128,1,8192,3,4,4,800,,yes
c,pretrain,llama-3.1-70b,h100-sxm,64,bf16,128,1,8192,4,4,4,800,,no
d,pretrain,mystery,h100-sxm,64,bf16,128,1,8192,4,4,4,800,,yes
RUNS
"$GPUPLAN" backtest runs.csv
"$GPUPLAN" backtest runs.csv -f csv
"$GPUPLAN" backtest - -f json <runs.csv
