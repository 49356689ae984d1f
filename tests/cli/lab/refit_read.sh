head -n 41 "$ROOT/tests/reference/serving_power.csv" >power.csv
"$GPUPLAN-lab" refit power.csv >power.yaml
grep -c '^  [a-z]*:' power.yaml
"$GPUPLAN-lab" backtest power.csv --catalog power.yaml -f csv | grep -c scored
