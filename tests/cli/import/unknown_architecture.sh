echo '{"model_type": "quen3", "hidden_size": 64}' >config.json
"$GPUPLAN" import file:config.json -o row.yaml || code=$?
ls
exit $code
