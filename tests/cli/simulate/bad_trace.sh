cat >trace.csv <<'CSV'
TIMESTAMP,ContextTokens,GeneratedTokens
2023-11-16 18:15:46.6805900,374,44
2023-11-16 18:15:60.9951690,396,many
16 November,0,12
CSV
"$GPUPLAN" simulate "$ROOT/examples/quickstart.yaml" --trace trace.csv
