printf 'id,model,gpu,seq_len,tokens_per_s_per_gpu,iteration_s\na,m,g,1,1,\n' >runs.csv
"$GPUPLAN-lab" backtest runs.csv runs.csv
