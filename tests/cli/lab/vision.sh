cat >vision.csv <<'ROWS'
model,patch,merge,tile_rule,min_tokens,max_tokens,tok_336,tok_512,tok_1024,tok_2048
Qwen3-VL-8B,16,2,smart_resize factor 32,64,16384,100,256,1024,4096
Nameless,14,2,smart_resize factor 28,4,1280,144,324,1225,1225
Fixed,14,1,resize,576,576,576,576,576,576
Unknown,14,2,a secret,,,1,2,3,4
ROWS
"$GPUPLAN-lab" backtest vision.csv -f csv
