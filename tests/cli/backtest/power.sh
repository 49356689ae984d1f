cat >power.csv <<'ROWS'
id,model,gpu,gpus,total_params_b,active_params_b,precision,avg_batch,input_len,output_len,w_per_gpu,strict
told,llama-3.1-8b,h100-sxm,1,8,8,bfloat16,64,200,615,610,yes
untold,llama-3.1-8b,h100-sxm,1,8,8,bfloat16,64,,,610,yes
idle,llama-3.1-8b,h100-sxm,1,8,8,bfloat16,,200,615,610,yes
ROWS
"$GPUPLAN" backtest power.csv -f csv
