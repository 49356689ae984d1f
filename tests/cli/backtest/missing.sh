"$GPUPLAN" backtest none.csv
