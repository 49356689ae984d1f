# The fit of the built-in constants is made by another program, which is not installed.
"$GPUPLAN" backtest runs.csv --leave-out model
