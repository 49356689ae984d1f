printf 'id,speed\na,3\n' >runs.csv
"$GPUPLAN" backtest runs.csv
