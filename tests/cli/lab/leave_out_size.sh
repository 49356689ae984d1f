"$GPUPLAN-lab" backtest "$ROOT/tests/reference/collectives_one_node.csv" --leave-out size --width 200
