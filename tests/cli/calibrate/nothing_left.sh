cat >runs.csv <<'RUNS'
id,kind,model,gpus,gpu,precision,gbs_sequences,mbs,seq_len,tp,pp,framework,tokens_per_s_per_gpu,iteration_s
c,pretrain,llama-3.1-8b,64,h100-sxm,bf16,128,1,8192,1,1,NeMo,40000,
RUNS
"$GPUPLAN" calibrate runs.csv
