cat >runs.csv <<'RUNS'
id,kind,model,gpu,gpus,precision,gbs_sequences,mbs,seq_len,tp,pp,dp,tokens_per_s_per_gpu,iteration_s
a,pretrain,llama-3.1-70b,h100-sxm,64,bf16,128,1,8192,4,4,4,800,
b,lora,llama-3.1-8b,h100-sxm,8,bf16,32,1,4096,1,1,8,,3
RUNS
"$GPUPLAN-lab" backtest runs.csv --leave-out model -f markdown | sed 's/[0-9][0-9.]*/N/g'
