# Runs of one's own, in the columns of published ones: whole steps are scored, and told what is open.
cat >runs.csv <<'RUNS'
id,model,gpu,gpus_total,colocated,policy_lag,prompts_per_step,generations_per_prompt,train_global_batch_sequences,prompt_len_mean,response_len_mean,max_len,gen_tp,gpus_train,gpus_rollout,train_tp,train_pp,train_cp,train_ep,reference_model,step_time_s,generation_time_s
known,llama-3.1-8b,h100-sxm,16,yes,0,64,32,512,132,1060,4096,1,16,16,1,2,1,1,yes,97.7,50
ahead,llama-3.1-8b,h100-sxm,16,no,1,64,32,512,130,1129,4096,1,8,8,1,2,1,1,yes,74.6,
limit,qwen3-30b-a3b,h100-sxm,32,yes,0,64,32,512,,,4096,2,32,32,1,1,1,8,yes,198,
blind,llama-3.1-8b,h100-sxm,16,yes,0,64,32,512,,,,1,16,16,1,2,1,1,yes,97.7,
RUNS
"$GPUPLAN" backtest runs.csv -f json >out.json
for row in known ahead limit blind; do grep -o "\"id\": \"$row\"" out.json | sort | uniq -c | tr -s ' '; done
"$GPUPLAN" backtest runs.csv -f markdown | sed -n '1p'
"$GPUPLAN" backtest runs.csv -f json | grep -o '"reason": "[^"]*"' | sort -u
