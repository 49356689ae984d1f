cat >power.csv <<'ROWS'
id,model,gpu,gpus,total_params_b,active_params_b,precision,avg_batch,w_per_gpu,strict
dense,meta-llama__Llama-3.1-8B-Instruct__lm-arena-chat,H100-SXM5-80GB,1,8,8,bfloat16,64,610,yes
routed,Qwen__Qwen3-235B-A22B-Thinking-2507-FP8__gpqa,H100-SXM5-80GB,8,235,22,fp8,64,472,yes
suite,Qwen__Qwen3-8B__unheard-of,H100-SXM5-80GB,1,8,8,bfloat16,8,420,yes
idle,Qwen__Qwen3-8B__gpqa,H100-SXM5-80GB,1,8,8,bfloat16,,420,yes
ROWS
"$GPUPLAN-lab" backtest power.csv -f csv
